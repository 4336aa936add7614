import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ENV, type Env, hasCode } from '../platform/index.js';
import { isPackName, isPictureName } from './pack-names.js';

/** Bytes of one picture (threat E3). */
export const MAX_PICTURE_BYTES = 1024 * 1024;

/** A picture as it lies on disk. */
export interface StoredPicture {
  readonly content: Buffer;
  readonly modifiedAt: Date;
}

/**
 * The packs of custom emoji: folders below `DATA_DIR/emoji`, each with its pictures and a `pack.json`. No name leads out of
 * them and no link is followed (threats E1, E2).
 */
@Injectable()
export class PackStore implements OnModuleInit {
  private readonly root: string;

  constructor(@Inject(ENV) env: Pick<Env, 'dataDir'>) {
    this.root = join(env.dataDir, 'emoji');
  }

  async onModuleInit(): Promise<void> {
    await mkdir(this.root, { recursive: true });
  }

  /** A picture of a pack; undefined for what is none, and for one that is too large. */
  async picture(pack: string, file: string): Promise<StoredPicture | undefined> {
    if (!isPackName(pack) || !isPictureName(file) || !(await this.hasFolder(pack))) return undefined;
    return this.contentOf(join(this.root, pack, file), MAX_PICTURE_BYTES);
  }

  /** Whether there is a folder of that name, which is no link to one. */
  private async hasFolder(pack: string): Promise<boolean> {
    const entry = await unlessMissing(lstat(join(this.root, pack)));
    return entry?.isDirectory() ?? false;
  }

  /** A file that is no link, if it is there and not too large. */
  private async contentOf(path: string, maxBytes: number): Promise<StoredPicture | undefined> {
    const file = await unlessMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
    if (!file) return undefined;
    try {
      return await read(file, maxBytes);
    } finally {
      await file.close();
    }
  }
}

async function read(file: FileHandle, maxBytes: number): Promise<StoredPicture | undefined> {
  const entry = await file.stat();
  if (!entry.isFile() || entry.size > maxBytes) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(entry.size), 0, entry.size, 0);
  return bytesRead === entry.size ? { content: buffer, modifiedAt: entry.mtime } : undefined; // it is being written
}

async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}
