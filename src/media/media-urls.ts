import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../platform/index.js';
import type { AttachmentRow } from './attachment.rows.js';

const FOLDER = '/media/';

/** Where the files are found that this server keeps. */
@Injectable()
export class MediaUrls {
  private readonly base: string;

  constructor(@Inject(ENV) env: Env) {
    this.base = env.mediaUrl ?? env.baseUrl;
  }

  /** The address of a stored file. */
  of(key: string): string {
    return this.absolute(pathOf(key));
  }

  /** The address of an attachment, here or on another server. */
  ofAttachment({ file_key: key, remote_url: remoteUrl }: Pick<AttachmentRow, 'file_key' | 'remote_url'>): string {
    return key === null ? (remoteUrl ?? '') : this.of(key);
  }

  /** The address behind what is stored of a picture: a path of ours, or the address of another server's. */
  absolute(stored: string): string {
    return stored.startsWith('/') ? this.base + stored : stored;
  }
}

/** What is stored of a picture that this server keeps, wherever its files are found later. */
export function pathOf(key: string): string {
  return FOLDER + key;
}

/** The key behind {@link pathOf}; undefined for files of others. */
export function keyAt(stored: string | null): string | undefined {
  return stored?.startsWith(FOLDER) ? stored.slice(FOLDER.length) : undefined;
}
