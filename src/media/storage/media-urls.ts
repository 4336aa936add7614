import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../platform/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { ProxyUrls } from '../proxy/proxy-urls.js';
import { stillBeside } from './still-keys.js';

const FOLDER = '/media/';

type Stored = Pick<AttachmentRow, 'file_key' | 'thumbnail_key' | 'remote_url' | 'type'>;

/**
 * Where files are found: those that this server keeps, and those of others, which people load through the proxy where that is
 * on. Whatever is shown of another server's files gets its address here.
 */
@Injectable()
export class MediaUrls {
  private readonly base: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly proxy: ProxyUrls,
  ) {
    this.base = env.mediaUrl ?? env.baseUrl;
  }

  /** The address of a stored file. */
  of(key: string): string {
    return this.absolute(pathOf(key));
  }

  /** Where people load a file that a server names by its URL. */
  remote(url: string): string {
    return this.proxy.of(url);
  }

  /** Whether a page may load a file without telling a third party who reads it. */
  isTrusted(url: string): boolean {
    return this.proxy.isTrusted(url);
  }

  /** Where trusted files come from, as sources of a Content-Security-Policy. */
  get sources(): string[] {
    return this.proxy.sources;
  }

  /** Where people load a picture: a path of ours, or the URL of another server's. */
  shown(stored: string): string {
    return this.remote(this.absolute(stored));
  }

  /** Where people load a picture that does not move, as far as there is one. */
  still(stored: string): string {
    return this.proxy.preview(this.absolute(stillOf(stored)), true);
  }

  /** Where people load an attachment, kept here or on another server. */
  ofAttachment({ file_key: key, remote_url: remoteUrl }: Pick<Stored, 'file_key' | 'remote_url'>): string {
    return key === null ? this.remote(remoteUrl ?? '') : this.of(key);
  }

  /** Where people load the small picture of an attachment; the attachment itself where there is none. */
  previewOf(attachment: Stored): string {
    const { thumbnail_key: thumbnail, file_key: key, remote_url: remoteUrl, type } = attachment;
    if (thumbnail !== null) return this.of(thumbnail);
    const isSeen = type === 'image' || type === 'video';
    return key === null && isSeen ? this.proxy.preview(remoteUrl ?? '') : this.ofAttachment(attachment);
  }

  /** The address of an attachment for other servers: theirs as they named it. */
  originOf({ file_key: key, remote_url: remoteUrl }: Pick<Stored, 'file_key' | 'remote_url'>): string {
    return key === null ? (remoteUrl ?? '') : this.of(key);
  }

  /** The address behind what is stored of a picture, for other servers. */
  absolute(stored: string): string {
    return stored.startsWith('/') ? this.base + stored : stored;
  }
}

/** Beside a picture of ours that moves lies a still. */
function stillOf(stored: string): string {
  return (stored.startsWith(FOLDER) ? stillBeside(stored) : undefined) ?? stored;
}

/** What is stored of a picture that this server keeps, wherever its files are found later. */
export function pathOf(key: string): string {
  return FOLDER + key;
}

/** The key behind {@link pathOf}; undefined for files of others. */
export function keyAt(stored: string | null): string | undefined {
  return stored?.startsWith(FOLDER) ? stored.slice(FOLDER.length) : undefined;
}
