import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Invalid, phrase } from '../../common/index.js';
import type { ZippedFile } from '../../platform/index.js';
import { isPictureName } from '../model/pack-names.js';

/** The file that describes a pack. */
export const MANIFEST = 'pack.json';
/** The longest path in an archive, in characters: an archive may hold some hundred paths of 65 kB (threat E3). */
const MAX_PATH_LENGTH = 500;

/** A file that can be in a pack. */
interface FileForPack {
  readonly path: string;
  /** Its name in the pack. */
  readonly name: string;
}

/**
 * The files of a pack without folders, under names that say in which they were: `hot/tea.png` becomes `hot_tea.png`. The
 * folder of the highest `pack.json` counts as the pack, else the one that holds everything; the whole archive where only
 * that has all of the `wanted` names.
 * @throws Invalid for a path that leads out (threat E2) or has more than 500 characters (threat E3), and when two files get
 * one name
 */
export function withoutFolders(files: readonly ZippedFile[], wanted: readonly string[] = []): ZippedFile[] {
  for (const { path } of files) requireInside(path);
  const included = files.filter(({ path }) => !isAddedByMac(path));
  const within = flattened(included, baseOf(included.map(({ path }) => path)));
  const flat = wanted.every((name) => within.has(name)) ? within : flattened(included, '');
  if (flat.size < included.length) throw new Invalid('Two files get the same name');
  return [...flat.values()];
}

/**
 * The files of a folder on this server that can be in a pack: the highest `pack.json`, and the pictures. Omits hidden
 * folders, and files that cannot have their name without folders.
 */
function filesForPack(paths: readonly string[]): FileForPack[] {
  const candidates = paths.filter((path) => {
    const folders = path.split('/');
    const file = folders.pop() ?? '';
    return folders.every((folder) => !folder.startsWith('.')) && (file === MANIFEST || isPictureName(file));
  });
  const base = baseOf(candidates);
  return candidates
    .map((path) => ({ path, name: flatName(withoutBase(path, base)) }))
    .filter(({ name }) => name === MANIFEST || isPictureName(name));
}

/** The files of a folder and of the folders in it that can be in a pack, higher ones first. Follows no links. */
export async function readPackFolder(folder: string): Promise<FileForPack[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .map((path) => ({ path, depth: path.split('/').length }))
    .sort((one, other) => one.depth - other.depth || (one.path < other.path ? -1 : 1));
  return filesForPack(paths.map(({ path }) => path));
}

/** The name without folders of a file that a `pack.json` names. */
export function flatName(path: string): string {
  return path.replace(/^\.\//, '').replaceAll('/', '_');
}

function flattened(files: readonly ZippedFile[], base: string): Map<string, ZippedFile> {
  const named = files.map((file) => ({ ...file, path: flatName(withoutBase(file.path, base)) }));
  return new Map(named.map((file) => [file.path, file]));
}

function withoutBase(path: string, base: string): string {
  return path.startsWith(base) ? path.slice(base.length) : path;
}

/** Whether macOS added the file to an archive. */
function isAddedByMac(path: string): boolean {
  const folders = path.split('/');
  return folders.pop() === '.DS_Store' || folders.includes('__MACOSX');
}

function requireInside(path: string): void {
  if (path.length > MAX_PATH_LENGTH)
    throw new Invalid(phrase('A path in a pack has at most {max} characters', { max: MAX_PATH_LENGTH }));
  const isInside = !path.includes('\\') && path.split('/').every((part) => part !== '' && !/^\.+$/.test(part));
  if (!isInside) throw new Invalid(phrase('{name} cannot be a picture of a pack', { name: JSON.stringify(path) }));
}

/** The folder of the pack, with a slash; empty when that is the whole. Linear in the length of all paths. */
function baseOf(paths: readonly string[]): string {
  const manifest = highestManifest(paths);
  return manifest === undefined ? sharedFolder(paths) : manifest.slice(0, -MANIFEST.length);
}

/** The `pack.json` in the fewest folders, the first of several; undefined when there is none. */
function highestManifest(paths: readonly string[]): string | undefined {
  let highest: string | undefined;
  let fewest = Infinity;
  for (const path of paths) {
    if (path !== MANIFEST && !path.endsWith(`/${MANIFEST}`)) continue;
    const parts = path.split('/').length;
    if (parts < fewest) [highest, fewest] = [path, parts];
  }
  return highest;
}

/** The lowest folder that holds all of these files, with a slash. */
function sharedFolder([first = '', ...others]: readonly string[]): string {
  let end = first.lastIndexOf('/') + 1;
  for (const other of others) {
    let same = 0;
    while (same < end && other[same] === first[same]) same += 1;
    end = same === 0 ? 0 : first.lastIndexOf('/', same - 1) + 1;
  }
  return first.slice(0, end);
}
