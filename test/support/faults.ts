// Read by the tests and, without compilation, by scripts/prove-tests.mjs: built-ins only, and no syntax that Node cannot strip.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A known fault: a change of the source, and the tests that must notice it. */
export interface Fault {
  readonly name: string;
  readonly changes: readonly Change[];
  /** Spec files that must all fail; named as in {@link filesLike}. */
  readonly specs: readonly string[];
  /** The tests of these files to run: a pattern for `jest -t`. */
  readonly tests: string;
}

/** Replaces a text that occurs exactly once in the file, or in one of its declarations. */
export interface Change {
  /** Named as in {@link filesLike}. */
  readonly file: string;
  /** The function, method, class or constant of the text, if the text alone is not unique. */
  readonly in?: string;
  readonly text: string;
  readonly replacement: string;
}

/** A planted fault: paths of files, and their changed content. */
export interface Planted {
  readonly specs: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  /** The reason why it cannot be planted: the source has changed. */
  readonly misfits: readonly string[];
}

const FOLDER = 'test/faults';

/** The faults of which every run of CI plants half: access, visibility, durability and attacks. */
export const CORE = ['access.json', 'visibility.json', 'durability.json', 'trust.json'];

/** Limits on CI's time: on all faults, on the core, and on the core faults that a change adds. */
export const MOST = { all: 300, core: 60, touched: 10 };

/** The planted faults from all or the given files of `test/faults`. */
export function readFaults(root: string, files = readdirSync(join(root, FOLDER))): Fault[] {
  return files
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(join(root, FOLDER, name), 'utf8')) as Fault[]);
}

/** The paths of all sources and tests. */
export function sourcesOf(root: string): string[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
}

/**
 * The files of a name, which is a file name with as many parent folders as make it unique, in order:
 * files can be moved. `rules/visibility.spec.ts` is also `test/rules/reading/visibility.spec.ts`.
 */
function filesLike(paths: readonly string[], name: string): string[] {
  const folders = name.split('/').slice(0, -1);
  return paths.filter((path) => {
    const above = path.split('/').slice(0, -1);
    let at = 0;
    return basename(path) === basename(name) && folders.every((folder) => (at = above.indexOf(folder, at) + 1) > 0);
  });
}

/** Finds the place of a fault in the sources of `root`, whose `paths` are given. */
export function plant(root: string, paths: readonly string[], { changes, specs }: Fault): Planted {
  const misfits: string[] = [];
  const files = new Map<string, string>();
  const find = (name: string): string | undefined => {
    const found = filesLike(paths, name);
    if (found.length !== 1) misfits.push(`${name} names ${found.length} files`);
    return found.length === 1 ? found[0] : undefined;
  };
  for (const { file, in: symbol, text, replacement } of changes) {
    const path = find(file);
    if (path === undefined) continue;
    const source = files.get(path) ?? readFileSync(join(root, path), 'utf8');
    const changed = replaced(source, symbol, text, replacement);
    if (changed === undefined) misfits.push(`${path} holds ${JSON.stringify(text)} not at all, or more than once`);
    else files.set(path, changed);
  }
  return { specs: specs.map(find).filter((path) => path !== undefined), files, misfits };
}

function replaced(source: string, symbol: string | undefined, text: string, replacement: string): string | undefined {
  const [from, to] = symbol === undefined ? [0, source.length] : extentOf(source, symbol);
  const held = source.slice(from, to).split(text);
  return held.length === 2 ? source.slice(0, from) + held.join(replacement) + source.slice(to) : undefined;
}

/** The begin of a declaration, decorators included, and its end: before the next line without deeper indentation. */
function extentOf(source: string, symbol: string): [number, number] {
  const head = `(?:(?:export|private|protected|static|async|get|function|class|const|let) )*`;
  const start = `(?:^ *@.*\\n)*^( *)${head}${symbol}\\b(?= =|: |[<(?]| extends | implements | \\{).*\\n`;
  const found = new RegExp(start, 'm').exec(source);
  if (!found) return [0, 0];
  const body = found.index + found[0].length;
  const next = new RegExp(`^ {0,${found[1]!.length}}[\\w@/'"]`, 'm').exec(source.slice(body));
  return [found.index, next ? body + next.index : source.length];
}
