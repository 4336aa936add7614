import { stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { asReason, Unprocessable } from '../../common/index.js';
import {
  Videos,
  Images,
  type MediaType,
  mediaTypeOf,
  type Miniature,
  type PreviewSize,
  type ReadOptions,
  sniffMediaType,
  soundMimeOf,
  UnreadableMedia,
} from '../../platform/index.js';

/** A checked file, ready to be stored. */
export interface ReadMedia {
  readonly type: MediaType;
  /** The content to store: the file itself, or its converted form. */
  readonly content: Buffer | { readonly path: string };
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** A WebP. */
  readonly thumbnail: Buffer | null;
  /** A WebP of a moving picture's first frame. */
  readonly still: Buffer | null;
  readonly blurhash: string | null;
}

/** The cover's own size, before its thumbnail is made. */
const COVER: PreviewSize = { width: 800, height: 800, quality: 90 };

/** Detects the type of an uploaded file by its content, and removes metadata that must not be published. */
@Injectable()
export class MediaReader {
  constructor(
    private readonly images: Images,
    private readonly videos: Videos,
  ) {}

  /**
   * Reads a picture, video or recording. `cover` replaces the frame of a video or a recording, and is ignored for a
   * picture.
   * @throws Unprocessable for other types and for damaged files, also when the cover is no picture
   */
  async read(path: string, cover?: string): Promise<ReadMedia> {
    const type = await sniffMediaType(path);
    if (!type) throw new Unprocessable('Files of this type are not accepted');
    return orUnprocessable(() => (type.kind === 'image' ? this.picture(path, type) : this.video(path, type, cover)));
  }

  /**
   * Reads a picture.
   * @throws Unprocessable for other types and for damaged pictures
   */
  async readPicture(path: string, options: ReadOptions): Promise<ReadMedia> {
    const type = await pictureType(path);
    return orUnprocessable(() => this.picture(path, type, options));
  }

  /**
   * Reads the cover of a stored video or recording.
   * @throws Unprocessable for other types and for damaged pictures
   */
  async readCover(path: string): Promise<ReadMedia> {
    const { thumbnail: content, blurhash } = await orUnprocessable(() => this.cover(path));
    const type = mediaTypeOf('image/webp');
    if (!type) throw new Error('Thumbnails are WebP');
    const unknown = { width: null, height: null, duration: null, thumbnail: null, still: null };
    return { type, content, size: content.length, ...unknown, blurhash };
  }

  private async picture(path: string, type: MediaType, options?: ReadOptions): Promise<ReadMedia> {
    const { content, thumbnail = null, still = null, ...known } = await this.images.read(path, type.mime, options);
    return { type, ...known, ...(await stored(content, path)), duration: null, thumbnail, still };
  }

  private async video(path: string, type: MediaType, cover: string | undefined): Promise<ReadMedia> {
    const shown = cover === undefined ? undefined : await this.cover(cover);
    const { width, height, duration, isSound, poster: frame } = await this.videos.read(path, type);
    const poster = shown ?? frame;
    return {
      type: (isSound && mediaTypeOf(soundMimeOf(type.mime))) || type,
      ...(await stored(undefined, path)),
      width: width ?? null,
      height: height ?? null,
      duration: duration ?? null,
      thumbnail: poster?.thumbnail ?? null,
      still: null,
      blurhash: poster?.blurhash ?? null,
    };
  }

  /** The cover as a thumbnail; the rest of the file is dropped. */
  private async cover(path: string): Promise<Miniature> {
    const { mime } = await pictureType(path);
    return this.images.poster(await this.images.preview(path, mime, COVER));
  }
}

async function pictureType(path: string): Promise<MediaType> {
  const type = await sniffMediaType(path);
  if (type?.kind !== 'image') throw new Unprocessable('Only pictures are accepted here');
  return type;
}

async function stored(content: Buffer | undefined, path: string): Promise<Pick<ReadMedia, 'content' | 'size'>> {
  if (content) return { content, size: content.length };
  return { content: { path }, size: (await stat(path)).size };
}

async function orUnprocessable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableMedia) throw new Unprocessable(asReason(error.message), { cause: error });
    throw error;
  }
}
