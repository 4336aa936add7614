import { cleanText, codePointLength, isPlainObject, isShortcode, readForeignDocument } from '../../common/index.js';
import { isPictureName } from '../model/pack-names.js';

/** The metadata of a pack (spec §2.6). */
export interface PackMetadata {
  readonly license: string;
  readonly homepage: string;
  readonly description: string;
  /** The address of an archive with the pictures, for packs that this server does not share. */
  readonly fallbackSrc: string | null;
  readonly fallbackSha256: string | null;
  /** Whether other servers may copy the pack. */
  readonly shareFiles: boolean;
}

/** A pack: the content of its `pack.json`. */
export interface Manifest {
  /** File names by shortcodes. */
  readonly files: ReadonlyMap<string, string>;
  readonly metadata: PackMetadata;
}

export const NO_METADATA: PackMetadata = {
  license: '',
  homepage: '',
  description: '',
  fallbackSrc: null,
  fallbackSha256: null,
  shareFiles: false,
};

/** The most emoji of a pack (threat E3). */
export const MAX_FILES = 2_000;
/** The longest text and the longest fallback address of the metadata in code points, sent by the staff or read. */
export const MAX_TEXT = 5_000;
export const MAX_URL = 16_384;

/** Parses any `pack.json`; undefined for an invalid one. `nameOf` gives the name under which a file of it is stored. */
export function manifestOf(text: string, nameOf?: (path: string) => string): Manifest | undefined {
  try {
    return manifestIn(readForeignDocument(text), nameOf);
  } catch {
    return undefined;
  }
}

/** Parses a pack from JSON; omits emoji with invalid names. */
export function manifestIn(value: unknown, nameOf = (path: string): string => path): Manifest | undefined {
  if (!isPlainObject(value) || !isPlainObject(value['files'])) return undefined;
  const named = Object.entries(value['files']).flatMap(([shortcode, file]): [string, string][] =>
    typeof file === 'string' ? [[shortcode, nameOf(file)]] : [],
  );
  const files = named.filter(([shortcode, file]) => isShortcode(shortcode) && isPictureName(file));
  const pack = isPlainObject(value['pack']) ? value['pack'] : {};
  return { files: new Map(files.slice(0, MAX_FILES)), metadata: metadataIn(pack) };
}

/** The text of a `pack.json`. */
export function manifestText({ files, metadata }: Manifest): string {
  return `${JSON.stringify({ files: filesJson(files), pack: metadataJson(metadata), files_count: files.size }, null, 2)}\n`;
}

/** The files by shortcodes, in their order. */
export function filesJson(files: Manifest['files']): Record<string, string> {
  return Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function metadataJson(metadata: PackMetadata) {
  const { license, homepage, description, fallbackSrc, fallbackSha256, shareFiles } = metadata;
  return {
    license,
    homepage,
    description,
    ...(fallbackSrc === null ? {} : { 'fallback-src': fallbackSrc }),
    ...(fallbackSha256 === null ? {} : { 'fallback-src-sha256': fallbackSha256 }),
    'share-files': shareFiles,
  };
}

function metadataIn(pack: Readonly<Record<string, unknown>>): PackMetadata {
  const given = (name: string) => (typeof pack[name] === 'string' ? pack[name] : '');
  const text = (name: string) => cleanText(given(name), { maxLength: MAX_TEXT });
  // The beginning of an address or of a checksum would be another one.
  const whole = (name: string, max = MAX_TEXT) => (codePointLength(given(name)) <= max ? given(name) : '');
  return {
    license: text('license'),
    homepage: whole('homepage'),
    description: text('description'),
    fallbackSrc: whole('fallback-src', MAX_URL) || null,
    fallbackSha256: whole('fallback-src-sha256') || null,
    shareFiles: pack['share-files'] === true,
  };
}
