import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { hasCode } from '../env/errors.js';
import type { ByteRange, OpenedFile, Storage, StoredFile } from './storage.js';

/** Names of one folder each, none hidden or longer than disks have them, in characters that are safe on every system. */
const PATH = /^(?!.{1025})(?!.*[^/]{256})[\w@~+$()[\]-][\w .,@~+$()[\]-]*(\/[\w@~+$()[\]-][\w .,@~+$()[\]-]*)*$/;

/** Whether a text can be the path of a public file: it leads to no hidden file and out of no folder (threats E1, E5). */
export function isPublicPath(text: string): boolean {
  return PATH.test(text);
}

/** The same, or the path of a well-known file (RFC 8615): only in the operator's own folder, since builds come from elsewhere. */
export function isOperatorPath(text: string): boolean {
  return isPublicPath(text.replace(/^\.well-known\//, ''));
}

/** Reads the files of a folder that an operator fills. Links that lead out of it are no files (threat E5). */
export class PublicFolder implements Pick<Storage, 'stat' | 'open'> {
  constructor(
    private readonly root: string,
    private readonly isPath = isPublicPath,
  ) {}

  async stat(path: string): Promise<StoredFile | undefined> {
    const file = await this.opened(path);
    if (!file) return undefined;
    const { size, mtime } = await file.stat();
    await file.close();
    return { size, modifiedAt: mtime };
  }

  async open(path: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const file = await this.opened(path);
    if (!file) return undefined;
    const { size, mtime } = await file.stat();
    return { size, modifiedAt: mtime, stream: file.createReadStream(range) };
  }

  private async opened(path: string): Promise<FileHandle | undefined> {
    if (!this.isPath(path)) return undefined;
    try {
      const root = await realpath(this.root);
      const real = await realpath(join(root, path));
      if (!real.startsWith(root + sep)) return undefined;
      return await regularFile(real);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG')) return undefined;
      throw error;
    }
  }
}

/** Opens without waiting for the writer of a pipe. */
async function regularFile(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}
