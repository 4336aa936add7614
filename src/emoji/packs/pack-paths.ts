import { Invalid } from '../../common/index.js';
import type { ZippedFile } from '../../platform/index.js';

/** The file that describes a pack. */
export const MANIFEST = 'pack.json';
/** What macOS adds to archives. */
const ADDED = /^(?:.*\/)?(?:__MACOSX\/.*|\.DS_Store)$/;

/**
 * The files of a pack without folders, under names that say in which they were: `hot/tea.png` becomes `hot_tea.png`. The
 * folder of the highest `pack.json` counts as the pack, else the one that holds everything.
 * @throws Invalid for a path that leads out (threat E2), and when two files get one name
 */
export function withoutFolders(files: readonly ZippedFile[]): ZippedFile[] {
  const kept = files.filter(({ path }) => !ADDED.test(path));
  for (const { path } of kept) requireInside(path);
  const base = baseOf(kept.map(({ path }) => path));
  const flat = kept.map((file) => ({ ...file, path: flatName(withoutBase(file.path, base)) }));
  if (new Set(flat.map(({ path }) => path)).size < flat.length) throw new Invalid('Two files get the same name');
  return flat;
}

/** The name without folders of a file that a `pack.json` names. */
export function flatName(path: string): string {
  return path.replace(/^\.\//, '').replaceAll('/', '_');
}

function withoutBase(path: string, base: string): string {
  return path.startsWith(base) ? path.slice(base.length) : path;
}

function requireInside(path: string): void {
  const isInside = !path.includes('\\') && path.split('/').every((part) => part !== '' && !/^\.+$/.test(part));
  if (!isInside) throw new Invalid(`${JSON.stringify(path)} cannot be a picture of a pack`);
}

/** The folder of the pack, with a slash; empty when that is the whole. */
function baseOf(paths: readonly string[]): string {
  const depth = (path: string) => path.split('/').length;
  const manifests = paths.filter((path) => path.split('/').at(-1) === MANIFEST);
  const [manifest] = manifests.toSorted((one, other) => depth(one) - depth(other));
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first = []] = manifest === undefined ? folders : [manifest.split('/').slice(0, -1)];
  const isShared = (_part: string, at: number) =>
    manifest !== undefined || folders.every((folder) => first.slice(0, at + 1).every((part, n) => folder[n] === part));
  return first
    .filter(isShared)
    .map((part) => `${part}/`)
    .join('');
}
