import { open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { encode } from 'blurhash';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { Turns } from '../turns.js';
import { UnreadableMedia } from './unreadable-media.js';

/** Pixels of the largest picture that is read: those of a phone's 50 megapixel camera. */
export const MAX_PIXELS = 50 * 1024 * 1024;
/** All frames of an animation together, when it has to be written anew. */
const MAX_ANIMATION_PIXELS = 2 * MAX_PIXELS;
/** Pixels of the longer side of a thumbnail. */
const THUMBNAIL_SIDE = 400;
/** A blurhash says so little that so many pixels on the longer side are plenty. */
const HASHED_SIDE = 32;
const LONGEST_SECONDS = 20;
/** A picture of 50 megapixels takes up to 400 MB while it is turned. */
const AT_ONCE = 2;

/** How a type is written anew, and how libvips calls it. */
const FORMATS: Readonly<Record<string, { readonly name: string; readonly write: (image: Sharp) => Sharp }>> = {
  'image/png': { name: 'png', write: (image) => image.png() },
  'image/jpeg': { name: 'jpeg', write: (image) => image.jpeg({ quality: 90 }) },
  'image/gif': { name: 'gif', write: (image) => image.gif() },
  'image/webp': { name: 'webp', write: (image) => image.webp({ quality: 90 }) },
  'image/avif': { name: 'heif', write: (image) => image.avif({ quality: 70, effort: 2 }) },
};

/** Loaders of all else, SVG first of all, are off. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`);

/** The last bytes of whole files; others have something behind the picture. */
const ENDINGS: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from('0000000049454e44ae426082', 'hex'),
  'image/jpeg': Buffer.from('ffd9', 'hex'),
  'image/gif': Buffer.from(';'),
};

export interface ReadOptions {
  /** Longest side in pixels: stills that are larger are made smaller. */
  readonly maxSide?: number | undefined;
}

/** What is known of a picture after it was read. */
export interface Picture {
  /** Pixels, turned upright. */
  readonly width: number;
  readonly height: number;
  /** Set when the picture had to be written anew: what the file held must not be kept. */
  readonly content: Buffer | undefined;
  /** A WebP of at most 400 pixels a side; undefined when the picture itself is that small. */
  readonly thumbnail: Buffer | undefined;
  readonly blurhash: string;
}

type SharpModule = typeof import('sharp').default;

/** Reads and rewrites pictures, on the threads of libvips and never more than a few at once (threats M4, M9). */
@Injectable()
export class Images {
  private readonly turns = new Turns(AT_ONCE);
  private loading: Promise<SharpModule> | undefined;

  /**
   * Reads a picture of a type that was found by its content. What it carries besides pixels and a colour profile (where it
   * was taken, by whom, anything behind its end) is not kept.
   * @throws UnreadableMedia
   */
  read(path: string, mime: string, options: ReadOptions = {}): Promise<Picture> {
    return this.turns.run(async () => {
      const sharp = await this.sharp();
      return readable(() => process(sharp, path, mime, options));
    });
  }

  /**
   * A picture that stands for a film: a frame of it, as any picture this server reads.
   * @throws UnreadableMedia
   */
  poster(frame: Buffer): Promise<{ readonly thumbnail: Buffer; readonly blurhash: string }> {
    return this.turns.run(async () => {
      const sharp = await this.sharp();
      return readable(() => miniature(sharp, frame));
    });
  }

  /** Loaded with the first picture: it takes 100 ms and 20 MB. */
  private sharp(): Promise<SharpModule> {
    return (this.loading ??= loadSharp());
  }
}

const STILL = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const satisfies SharpOptions;
const ANIMATION = { ...STILL, animated: true, limitInputPixels: MAX_ANIMATION_PIXELS } as const satisfies SharpOptions;

async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}

async function process(sharp: SharpModule, path: string, mime: string, { maxSide }: ReadOptions): Promise<Picture> {
  const format = FORMATS[mime];
  const metadata = await sharp(path, STILL).metadata();
  if (!format || metadata.format !== format.name) throw new UnreadableMedia('The picture is not what it seems to be');
  const { width, height } = metadata.autoOrient;
  const longest = Math.max(width, height);
  const { thumbnail, blurhash } = await miniature(sharp, path);
  const isAnimated = (metadata.pages ?? 1) > 1;
  const side = isAnimated || maxSide === undefined || longest <= maxSide ? undefined : maxSide;
  const isKept = side === undefined && !carriesMore(metadata) && (await endsWithThePicture(path, mime));
  const known = { thumbnail: longest <= THUMBNAIL_SIDE ? undefined : thumbnail, blurhash };
  if (isKept) return { width, height, content: undefined, ...known };
  const image = isAnimated ? sharp(path, ANIMATION) : upright(sharp, path, side);
  return { ...(await written(format.write(image))), ...known };
}

/** Decodes the whole first frame, so that a damaged picture is found out. */
async function miniature(sharp: SharpModule, input: string | Buffer): Promise<{ thumbnail: Buffer; blurhash: string }> {
  const thumbnail = await upright(sharp, input, THUMBNAIL_SIDE).webp().timeout({ seconds: LONGEST_SECONDS }).toBuffer();
  const { data, info } = await sharp(thumbnail)
    .resize(within(HASHED_SIDE))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [across, down] = info.width >= info.height ? [4, 3] : [3, 4];
  return { thumbnail, blurhash: encode(new Uint8ClampedArray(data), info.width, info.height, across, down) };
}

/** A still the right way up, no larger than the side. */
function upright(sharp: SharpModule, input: string | Buffer, side: number | undefined): Sharp {
  const image = sharp(input, STILL).autoOrient();
  return side === undefined ? image : image.resize(within(side));
}

function within(side: number) {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
}

async function written(image: Sharp): Promise<{ content: Buffer; width: number; height: number }> {
  const { data, info } = await image.timeout({ seconds: LONGEST_SECONDS }).toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** Whether it holds something that says more than the picture shows, or has to be turned. */
function carriesMore({ exif, iptc, xmp, tifftagPhotoshop, comments, gainMap, orientation = 1 }: Metadata): boolean {
  return orientation !== 1 || [exif, iptc, xmp, tifftagPhotoshop, comments, gainMap].some((part) => part !== undefined);
}

async function endsWithThePicture(path: string, mime: string): Promise<boolean> {
  const ending = ENDINGS[mime];
  if (!ending) return true;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(ending.length);
    await file.read(tail, 0, tail.length, Math.max(0, size - tail.length));
    return tail.equals(ending);
  } finally {
    await file.close();
  }
}

/** What libvips says about a file is for nobody: it names paths. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof UnreadableMedia) throw cause;
    const isTooLarge = cause instanceof Error && cause.message.includes('pixel limit');
    const text = isTooLarge ? 'The picture has too many pixels' : 'The picture is damaged';
    throw new UnreadableMedia(text, { cause });
  }
}
