import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readProblem } from '../../platform/index.js';

/**
 * Reads a file that the operator names.
 * @throws StartError when it is missing, a folder, or not readable
 */
export async function readGiven(path: string): Promise<Buffer> {
  return readFile(resolve(path)).catch((error: unknown) => {
    throw readProblem(path, error) ?? error;
  });
}
