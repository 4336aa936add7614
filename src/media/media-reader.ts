import { stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Unprocessable } from '../common/index.js';
import { Films, Images, type MediaType, type ReadOptions, sniffMediaType, UnreadableMedia } from '../platform/index.js';

/** A file that was looked into, ready to be stored. */
export interface ReadMedia {
  readonly type: MediaType;
  /** What to store: the file itself, or what it was made into. */
  readonly content: Buffer | { readonly path: string };
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** A WebP. */
  readonly thumbnail: Buffer | null;
  /** The same, of a picture that moves. */
  readonly still: Buffer | null;
  readonly blurhash: string | null;
}

/** Finds out what a file is that somebody sent, whatever it is called, and takes out what is not to be published. */
@Injectable()
export class MediaReader {
  constructor(
    private readonly images: Images,
    private readonly films: Films,
  ) {}

  /**
   * Reads a picture, film or recording.
   * @throws Unprocessable for all else and for damaged files
   */
  async read(path: string): Promise<ReadMedia> {
    const type = await sniffMediaType(path);
    if (!type) throw new Unprocessable('Files of this type are not accepted');
    return orUnprocessable(() => (type.kind === 'image' ? this.picture(path, type) : this.film(path, type)));
  }

  /**
   * Reads a picture.
   * @throws Unprocessable for all else and for damaged pictures
   */
  async readPicture(path: string, options: ReadOptions): Promise<ReadMedia> {
    const type = await sniffMediaType(path);
    if (type?.kind !== 'image') throw new Unprocessable('Only pictures are accepted here');
    return orUnprocessable(() => this.picture(path, type, options));
  }

  private async picture(path: string, type: MediaType, options?: ReadOptions): Promise<ReadMedia> {
    const { content, thumbnail = null, still = null, ...known } = await this.images.read(path, type.mime, options);
    return { type, ...known, ...(await stored(content, path)), duration: null, thumbnail, still };
  }

  private async film(path: string, type: MediaType): Promise<ReadMedia> {
    const { width, height, duration, poster } = await this.films.read(path, type);
    return {
      type,
      ...(await stored(undefined, path)),
      width: width ?? null,
      height: height ?? null,
      duration: duration ?? null,
      thumbnail: poster?.thumbnail ?? null,
      still: null,
      blurhash: poster?.blurhash ?? null,
    };
  }
}

async function stored(content: Buffer | undefined, path: string): Promise<Pick<ReadMedia, 'content' | 'size'>> {
  if (content) return { content, size: content.length };
  return { content: { path }, size: (await stat(path)).size };
}

async function orUnprocessable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableMedia) throw new Unprocessable(error.message, { cause: error });
    throw error;
  }
}
