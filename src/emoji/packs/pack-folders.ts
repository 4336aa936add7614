import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type FileForPack, filesForPack } from './pack-paths.js';

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
