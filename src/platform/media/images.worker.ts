/*
 * The process that decodes pictures: apart from the server, so that a file which crashes a decoder, or makes it take
 * gigabytes, harms only its own upload. It runs as it stands, also untranslated from the sources, and therefore imports one
 * other file of this server only, by its whole name.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { extname } from 'node:path';
import { encode } from 'blurhash';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';

/** A request of the server. */
export interface ImageRequest {
  /** A file, or the content of a picture. */
  readonly input: string | Buffer;
  /** Pixels of the largest picture that is read; of all frames of an animation together twice as many. */
  readonly maxPixels: number;
  /** The type of the file by its content; absent when only a thumbnail is wanted. */
  readonly mime?: string | undefined;
  /** Longest side in pixels: stills that are larger are made smaller. */
  readonly maxSide?: number | undefined;
  /** Set when nothing but a smaller still of it is wanted. */
  readonly preview?: PreviewSize | undefined;
}

/** How large a small picture may be, in pixels, and how good, of 100. */
export interface PreviewSize {
  readonly width: number;
  readonly height: number;
  readonly quality: number;
}

/** The facts about a picture after reading it. */
export interface Picture {
  /** Pixels, turned upright. */
  readonly width: number;
  readonly height: number;
  /** Set when the file held more than the picture: it must not be kept. */
  readonly content: Buffer | undefined;
  /** A WebP of at most 400 pixels a side; undefined when the picture itself is that small. */
  readonly thumbnail: Buffer | undefined;
  /** Its first frame as such a WebP, when it moves. */
  readonly still: Buffer | undefined;
  readonly blurhash: string;
}

/** The preview of a picture. */
export interface Miniature {
  /** A WebP of at most 400 pixels a side. */
  readonly thumbnail: Buffer;
  readonly blurhash: string;
}

/** A smaller still of a picture. */
export interface Preview {
  /** A WebP. */
  readonly preview: Buffer;
}

/** `refused` is a message for the uploader of the picture. */
export type ImageReply = { readonly found: Picture | Miniature | Preview } | { readonly refused: string };

/** A blurhash says so little that so many pixels on the longer side are plenty. */
const HASHED_SIDE = 32;
const LONGEST_SECONDS = 20;

/** The encoder of a type, and its name in libvips. */
const FORMATS: Readonly<Record<string, { readonly name: string; readonly write: (image: Sharp) => Sharp }>> = {
  'image/png': { name: 'png', write: (image) => image.png() },
  'image/jpeg': { name: 'jpeg', write: (image) => image.jpeg({ quality: 90 }) },
  'image/gif': { name: 'gif', write: (image) => image.gif() },
  'image/webp': { name: 'webp', write: (image) => image.webp({ quality: 90 }) },
  'image/avif': { name: 'heif', write: (image) => image.avif({ quality: 70, effort: 2 }) },
};

/** Loaders of all else, SVG first of all, are off. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`);

const PARTS = new URL(`picture-parts${extname(import.meta.url)}`, import.meta.url);
const { THUMBNAIL_SIDE, asStillAvif, isMovingAvif, isMovingPng, onlyThePicture } = (await import(
  PARTS.href
)) as typeof import('./picture-parts.js');

/** Formats of whose frames libvips sees the first only. */
const MOVES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': isMovingPng,
  'image/avif': isMovingAvif,
};

setPriority(constants.priority.PRIORITY_BELOW_NORMAL); // answers come first
// When memory runs out, this process ends first, not the server or its database (Linux only).
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });

process.on('message', (request) => void answer(request as ImageRequest));
process.on('disconnect', () => process.exit()); // the server is gone
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined); // the server first ends what it is doing

async function answer(request: ImageRequest): Promise<void> {
  process.send?.(await reply(request));
}

/** Messages of libvips are dropped, since they name paths. */
async function reply(request: ImageRequest): Promise<ImageReply> {
  try {
    return await read(request);
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit');
    return { refused: isTooLarge ? 'The picture has too many pixels' : 'The picture is damaged' };
  }
}

async function read(request: ImageRequest): Promise<ImageReply> {
  const { input, mime, maxPixels, preview } = request;
  const readable = mime === 'image/avif' && typeof input === 'string' ? await readableAvif(input) : input;
  const open: Open = (options) => sharp(readable, { limitInputPixels: maxPixels, failOn: 'error', ...options });
  if (mime === undefined || typeof input !== 'string') return { found: await miniature(open) };
  const metadata = await open().metadata();
  if (metadata.format !== FORMATS[mime]?.name) return { refused: 'The picture is not what it seems to be' };
  return { found: preview ? await small(open, preview) : await picture(open, metadata, { ...request, input, mime }) };
}

async function picture(
  open: Open,
  metadata: Metadata,
  { input, mime, maxSide, maxPixels }: ImageRequest & { input: string; mime: string },
): Promise<Picture> {
  const hasFrames = (metadata.pages ?? 1) > 1;
  const moves = hasFrames || MOVES[mime]?.(await readFile(input)) === true;
  const side = moves ? undefined : maxSide;
  const { thumbnail, blurhash } = await miniature(open);
  const known = (stays: boolean) => ({
    thumbnail: isWithin(THUMBNAIL_SIDE, metadata) ? undefined : thumbnail,
    still: stays ? undefined : thumbnail,
    blurhash,
  });
  const unchanged = isWithin(side, metadata) && isUpright(metadata) ? await untouched(input, mime) : undefined;
  if (unchanged) {
    const { width, height } = metadata.autoOrient;
    return { width, height, ...unchanged, ...known(!moves) };
  }
  const frames = { animated: true, limitInputPixels: 2 * maxPixels };
  const image = hasFrames ? open(frames) : upright(open(), maxSide); // of PNG and AVIF only the first frame can be written
  return { ...(await written(FORMATS[mime]?.write(image) ?? image)), ...known(!hasFrames) };
}

type Open = (options?: SharpOptions) => Sharp;

function isWithin(side: number | undefined, { width, height }: Metadata): boolean {
  return side === undefined || Math.max(width, height) <= side;
}

async function small(open: Open, { width, height, quality }: PreviewSize): Promise<Preview> {
  const image = open().autoOrient().resize({ width, height, fit: 'inside', withoutEnlargement: true });
  return { preview: await image.webp({ quality }).timeout({ seconds: LONGEST_SECONDS }).toBuffer() };
}

/** Decodes the whole first frame, so that a damaged picture is found out. */
async function miniature(open: Open): Promise<Miniature> {
  const thumbnail = await upright(open(), THUMBNAIL_SIDE).webp().timeout({ seconds: LONGEST_SECONDS }).toBuffer();
  const { data, info } = await sharp(thumbnail)
    .resize(within(HASHED_SIDE))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [across, down] = info.width >= info.height ? [4, 3] : [3, 4];
  return { thumbnail, blurhash: encode(new Uint8ClampedArray(data), info.width, info.height, across, down) };
}

/** The right way up, no larger than the side. */
function upright(image: Sharp, side: number | undefined): Sharp {
  const turned = image.autoOrient();
  return side === undefined ? turned : turned.resize(within(side));
}

function within(side: number) {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
}

async function written(image: Sharp): Promise<{ content: Buffer; width: number; height: number }> {
  const { data, info } = await image.timeout({ seconds: LONGEST_SECONDS }).toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.pageHeight ?? info.height };
}

/**
 * The pixels as they were sent, and nothing else: `content` is undefined when the file is that already. Undefined for a picture
 * that has to be written anew for it.
 */
async function untouched(path: string, mime: string): Promise<Pick<Picture, 'content'> | undefined> {
  const whole = await readFile(path);
  const picture = onlyThePicture(whole, mime);
  if (!picture || saysMore(await sharp(asStill(picture)).metadata())) return undefined;
  return { content: picture === whole ? undefined : picture };
}

async function readableAvif(path: string): Promise<string | Buffer> {
  const whole = await readFile(path);
  return isMovingAvif(whole) ? asStillAvif(whole) : path;
}

/** A picture as libvips reads it. */
function asStill(picture: Buffer): Buffer {
  return isMovingAvif(picture) ? asStillAvif(picture) : picture;
}

function isUpright({ orientation = 1 }: Metadata): boolean {
  return orientation === 1;
}

/** Whether it holds something that says more than the picture shows. */
function saysMore({ exif, iptc, xmp, tifftagPhotoshop, comments, gainMap }: Metadata): boolean {
  return [exif, iptc, xmp, tifftagPhotoshop, comments, gainMap].some((part) => part !== undefined);
}
