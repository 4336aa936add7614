import { isOfMachine } from '../env/errors.js';

/** A kind of file that this server stores and serves. */
export interface MediaType {
  readonly mime: string;
  /** The extension of the names that the server gives such files. */
  readonly extension: string;
  readonly kind: 'image' | 'video' | 'audio';
}

/** All kinds. None can hold a script that a browser would run. */
export const MEDIA_TYPES: readonly MediaType[] = [
  { mime: 'image/png', extension: 'png', kind: 'image' },
  { mime: 'image/jpeg', extension: 'jpg', kind: 'image' },
  { mime: 'image/gif', extension: 'gif', kind: 'image' },
  { mime: 'image/webp', extension: 'webp', kind: 'image' },
  { mime: 'image/avif', extension: 'avif', kind: 'image' },
  { mime: 'video/mp4', extension: 'mp4', kind: 'video' },
  { mime: 'video/webm', extension: 'webm', kind: 'video' },
  { mime: 'video/quicktime', extension: 'mov', kind: 'video' },
  { mime: 'video/ogg', extension: 'ogv', kind: 'video' },
  { mime: 'audio/mpeg', extension: 'mp3', kind: 'audio' },
  { mime: 'audio/ogg', extension: 'ogg', kind: 'audio' },
  { mime: 'audio/flac', extension: 'flac', kind: 'audio' },
  { mime: 'audio/wav', extension: 'wav', kind: 'audio' },
  { mime: 'audio/mp4', extension: 'm4a', kind: 'audio' },
  { mime: 'audio/webm', extension: 'weba', kind: 'audio' },
];

/** Files of other servers that are shown besides: nothing that could hold a script either. */
const FOREIGN_TYPES: readonly MediaType[] = [
  ...MEDIA_TYPES,
  { mime: 'image/x-icon', extension: 'ico', kind: 'image' },
  { mime: 'image/bmp', extension: 'bmp', kind: 'image' },
  { mime: 'image/jxl', extension: 'jxl', kind: 'image' },
  { mime: 'video/3gpp', extension: '3gp', kind: 'video' },
  { mime: 'audio/aac', extension: 'aac', kind: 'audio' },
];

/** Other names under which the content of such files is recognised. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
};

const LOOKING_MS = 5_000;
const LONGEST_READ = 1_048_576;

/**
 * The type of a file by its content alone; undefined when it is none of {@link MEDIA_TYPES} (threat M1).
 * @throws the error of a machine that cannot read the file now, for one since no file descriptor is left
 */
export async function sniffMediaType(path: string): Promise<MediaType | undefined> {
  try {
    const { fileTypeFromFile } = await import('file-type'); // loaded only where files come in
    const options = { signal: AbortSignal.timeout(LOOKING_MS), maxBufferSize: LONGEST_READ };
    const found = await fileTypeFromFile(path, options);
    return found && mediaTypeOf(ALIASES[found.mime] ?? found.mime);
  } catch (error) {
    if (isOfMachine(error)) throw error;
    return undefined; // the content contradicts its claimed type
  }
}

/** Like {@link sniffMediaType}, of another server's file by its beginning (threat M7). */
export async function sniffForeignType(beginning: Buffer): Promise<MediaType | undefined> {
  try {
    const { fileTypeFromBuffer } = await import('file-type');
    const found = await fileTypeFromBuffer(beginning, { signal: AbortSignal.timeout(LOOKING_MS) });
    return found && FOREIGN_TYPES.find(({ mime }) => mime === (ALIASES[found.mime] ?? found.mime));
  } catch (error) {
    if (isOfMachine(error)) throw error;
    return undefined; // as above
  }
}

/** The entry of another server's file that this server named. */
export function foreignTypeOfName(name: string): MediaType | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return FOREIGN_TYPES.find((type) => type.extension === extension);
}

/** Containers of videos that hold sound alone. */
const SOUND_TYPES: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/webm': 'audio/webm',
};

/** The MIME type that a file has which holds sound alone. */
export function soundMimeOf(mime: string): string {
  return SOUND_TYPES[mime] ?? mime;
}

/** The entry of a MIME type. */
export function mediaTypeOf(mime: string): MediaType | undefined {
  return MEDIA_TYPES.find((type) => type.mime === mime);
}

/** The entry of a file that this server named. */
export function mediaTypeOfName(name: string): MediaType | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return MEDIA_TYPES.find((type) => type.extension === extension);
}
