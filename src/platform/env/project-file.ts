import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of the program. */
export const PROGRAM_FOLDER = dirname(findPackageJSON(import.meta.url) ?? '.');

/** Reads a file of the project by its path from the root. Files of the build and of the sources have different folders. */
export function readProjectFile(path: string): Buffer {
  return readFileSync(join(PROGRAM_FOLDER, path));
}
