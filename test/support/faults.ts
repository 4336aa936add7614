// Read by the tests and, as it is, by scripts/prove-tests.mjs: built-ins only, and no syntax that Node cannot strip.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A known fault: what to change in the source, and which tests must notice. */
export interface Fault {
  readonly name: string;
  readonly changes: readonly Change[];
  /** Spec files, each of which must turn red. */
  readonly specs: readonly string[];
  /** Which tests of these files are run: a pattern, as for `jest -t`. */
  readonly tests: string;
}

/** Replaces a text that stands in the file exactly once. */
export interface Change {
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

const FOLDER = 'test/faults';

/** The faults that every run of CI plants: who may do and see what, and work that must not get lost. */
export const CORE = ['access.json', 'visibility.json', 'work.json'];

/** The planted faults from the files of `test/faults`, or of those that are named. */
export function readFaults(root: string, files = readdirSync(join(root, FOLDER))): Fault[] {
  return files
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(join(root, FOLDER, name), 'utf8')) as Fault[]);
}

/** Why the fault cannot be planted in this source: it has moved on. */
export function misfits(root: string, { changes, specs }: Fault): string[] {
  const missing = specs.filter((spec) => !existsSync(join(root, spec))).map((spec) => `${spec} does not exist`);
  const unfit = changes
    .map(({ file, text }) => ({ file, text, times: occurrences(root, file, text) }))
    .filter(({ times }) => times !== 1)
    .map(({ file, text, times }) => `${file} holds ${JSON.stringify(text)} ${times} times`);
  return [...missing, ...unfit];
}

function occurrences(root: string, file: string, text: string): number {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0;
}
