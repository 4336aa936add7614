import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../platform/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { ProxyUrls } from '../proxy/proxy-urls.js';

const FOLDER = '/media/';
/** The extensions of pictures that may move. */
const MOVING_TYPES = ['gif', 'webp', 'png', 'avif'];
const STILL = /\.still\.webp$/;
const MOVING = /\.moving\.[a-z0-9]+$/;

type Stored = Pick<AttachmentRow, 'fileKey' | 'thumbnailKey' | 'remoteUrl' | 'remotePreviewUrl' | 'type'>;

/**
 * Makes the addresses of files: this server's own, and those of other servers, through the proxy if it is on. Every
 * rendered file of another server gets its address here.
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

  /** The address for viewers of a remote file. */
  remote(url: string): string {
    return this.proxy.of(url);
  }

  /** Whether a page may load a file without revealing the viewer to a third party. */
  isTrusted(url: string): boolean {
    return this.proxy.isTrusted(url);
  }

  /** The sources of trusted files for a Content-Security-Policy. */
  get sources(): string[] {
    return this.proxy.sources;
  }

  /** The address for viewers of a picture: stored as a local path or a remote URL. */
  shown(stored: string): string {
    return this.remote(this.absolute(stored));
  }

  /** The address for viewers of a still picture, if there is one. */
  still(stored: string): string {
    return this.proxy.preview(this.absolute(stillOf(stored)), true);
  }

  /** The address for viewers of an attachment, local or remote. */
  ofAttachment({ fileKey: key, remoteUrl }: Pick<Stored, 'fileKey' | 'remoteUrl'>): string {
    return key === null ? this.remote(remoteUrl ?? '') : this.of(key);
  }

  /** The address of an attachment's preview, or of the attachment without one; sound without a picture has nothing to see. */
  previewOf(attachment: Stored): string | null {
    const { thumbnailKey: thumbnail, fileKey: key, remoteUrl, type } = attachment;
    if (thumbnail !== null) return this.of(thumbnail);
    const isSeen = type === 'image' || type === 'video';
    const seen = attachment.remotePreviewUrl ?? (key === null && isSeen ? (remoteUrl ?? '') : null);
    if (seen !== null) return this.proxy.preview(seen);
    return type === 'audio' ? null : this.ofAttachment(attachment);
  }

  /** The address of an attachment for other servers: the original one of remote files. */
  originOf({ fileKey: key, remoteUrl }: Pick<Stored, 'fileKey' | 'remoteUrl'>): string {
    return key === null ? (remoteUrl ?? '') : this.of(key);
  }

  /** The absolute address of a stored picture, for other servers. */
  absolute(stored: string): string {
    return stored.startsWith('/') ? this.base + stored : stored;
  }
}

/** The path of a moving local picture's still. */
function stillOf(stored: string): string {
  return (stored.startsWith(FOLDER) ? stillBeside(stored) : undefined) ?? stored;
}

/** The stored path of a local picture, independent of the files' later address. */
export function pathOf(key: string): string {
  return FOLDER + key;
}

/** The paths under which a profile may have a stored file: its own, or that of the moving picture whose still it is. */
export function picturePathsOf(key: string): string[] {
  const moving = STILL.test(key) ? MOVING_TYPES.map((type) => key.replace(STILL, `.${movingExtension(type)}`)) : [];
  return [key, ...moving].map(pathOf);
}

/** The key in a stored path; undefined for remote files. */
export function keyAt(stored: string | null): string | undefined {
  return stored?.startsWith(FOLDER) ? stored.slice(FOLDER.length) : undefined;
}

/** The file extension of a moving picture with a still. */
export function movingExtension(extension: string): string {
  return `moving.${extension}`;
}

/** The key of a picture's still by the picture's key, or its path by the picture's; undefined without one. */
export function stillBeside(name: string): string | undefined {
  return MOVING.test(name) ? name.replace(MOVING, '.still.webp') : undefined;
}
