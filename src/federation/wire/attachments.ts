import { parseUrl } from '../../platform/index.js';
import type { AttachmentType, RemoteAttachment } from '../../media/index.js';
import { pictureUrlOf } from './tags.js';
import { countOf, type Document, documentOf, firstOf, linkOf, listOf, mediaTypeOf, typeOf, uriOf } from './values.js';
import { plainWordsOf } from './words.js';

const MAX_ATTACHMENTS = 32;
const MAX_DESCRIPTION = 5_000;
const MAX_SIDE = 100_000;
/** The height of the largest shown size of a video with several sizes. */
const MAX_HEIGHT = 1_080;

const UNKNOWN_TYPE = 'application/octet-stream';
const MIME = /^[a-z]+\/[a-z0-9.+-]{1,100}$/;
const BLURHASH = /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,200}$/;
/** ISO 8601 durations, of which servers use these parts. */
const DURATION = /^PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,7})(?:\.\d+)?S)?$/;

/** The types of files without a type, by their extension. */
const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  weba: 'audio/webm',
  opus: 'audio/ogg',
  oga: 'audio/ogg',
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
};

/** The files of an object; things without an address are left out, and so are links to pages. */
export function parseAttachments(value: unknown): RemoteAttachment[] {
  return listOf(value, MAX_ATTACHMENTS).flatMap((each) => {
    const file = documentOf(each);
    return file && !isPageLink(file) ? fileOf(file, file) : [];
  });
}

/** The addresses of the pictures among files. */
export function picturesAmong(files: readonly RemoteAttachment[]): string[] {
  return files.filter(({ type }) => type === 'image').map(({ url }) => url);
}

/** The pages that are attached to an object as links. */
export function parsePageLinks(value: unknown): string[] {
  return listOf(value, MAX_ATTACHMENTS).flatMap((each) => {
    const file = documentOf(each);
    return (file && isPageLink(file) && linkOf(file)) || [];
  });
}

/** The picture that stands for an object without files, unless it shows a page that is attached. */
export function parsePicture({ image, attachment }: Document): RemoteAttachment[] {
  const [first] = listOf(image, 1);
  const [picture] = parseAttachments(uriOf(first) === undefined ? first : { type: 'Image', url: first });
  return picture && parsePageLinks(attachment).every((page) => page === picture.url) ? [picture] : [];
}

/**
 * The file of an object that is a file itself, such as a video: its `url` lists pages, files and playlists of files.
 * PeerTube may serve pictures and sound as files of their own, and says so: neither is the video.
 */
export function parseOwnFile(object: Document): RemoteAttachment[] {
  const links = listOf(object['url'], 64).flatMap((link) => [link, ...listOf(documentOf(link)?.['tag'], 64)]);
  const media = links.flatMap((link) => {
    const file = documentOf(link);
    return file && /^(?:video|audio|image)\//.test(mimeOf(file) ?? '') ? [{ file, codecs: codecsOf(file) }] : [];
  });
  const known = new Set(media.flatMap(({ codecs }) => codecs));
  const whole = media.filter(({ codecs }) => codecs.length === 0 || new Set(codecs).size === known.size);
  const files = whole.flatMap(({ file }) => fileOf(file, object));
  const heightOf = ({ height }: RemoteAttachment) => height ?? 0;
  const fitting = files.filter((file) => heightOf(file) <= MAX_HEIGHT);
  const [best] = fitting.length > 0 ? fitting.sort((one, other) => heightOf(other) - heightOf(one)) : files;
  return best ? [{ ...best, description: '' }] : [];
}

/** The codecs of a file, `video` and `audio`, where its server names them. */
function codecsOf({ attachment }: Document): string[] {
  return listOf(attachment, 16).flatMap((each) => {
    const property = documentOf(each);
    const value = property?.['name'] === 'ffprobe_codec_type' ? property['value'] : undefined;
    return value === 'video' || value === 'audio' ? [value] : [];
  });
}

function isPageLink(file: Document): boolean {
  if (typeOf(file) !== 'Link') return false;
  return (mimeOf(file) ?? guessedType(linkOf(file) ?? '', undefined) ?? 'text/html') === 'text/html';
}

/** `about` is the object with the values that the file itself lacks. */
function fileOf(file: Document, about: Document): RemoteAttachment[] {
  const links = listOf(file['url'] ?? file['href'], 8);
  const link = documentOf(links.find((each) => linkOf(each) !== undefined));
  const url = uriOf(file['href']) ?? firstOf(links, linkOf);
  if (url === undefined) return [];
  const named = firstOf([file, link], (each) => mimeOf(documentOf(each) ?? {}));
  const mimeType = named ?? guessedType(url, typeOf(file)) ?? UNKNOWN_TYPE;
  const width = sideOf(file['width'] ?? link?.['width']);
  const height = sideOf(file['height'] ?? link?.['height']);
  const description = descriptionOf(file, MAX_DESCRIPTION);
  const duration = durationOf(about['duration']);
  const [type, blurhash] = [kindOf(mimeType), blurhashOf(file)];
  const previewUrl = type === 'image' ? null : previewUrlOf(about);
  return [{ type, mimeType, url, previewUrl, description, blurhash, width, height, duration }];
}

/** The picture that stands for a video or recording, the widest of several; not what a player shows of all its scenes. */
function previewUrlOf({ icon, preview }: Document): string | null {
  const previews = listOf(preview, 8).filter((each) => typeOf(each) === 'Image' && !documentOf(each)?.['rel']);
  const widthOf = (picture: unknown) => sideOf(documentOf(picture)?.['width']) ?? 0;
  const icons = listOf(icon, 8).toSorted((one, other) => widthOf(other) - widthOf(one));
  return firstOf([...icons, ...previews], pictureUrlOf) ?? null;
}

/** What a file shows, for people who do not see it: Mastodon writes it as `summary`, older servers as `name`. */
export function descriptionOf(file: Document | undefined, maxLength: number): string {
  return plainWordsOf(file, 'summary', maxLength) || plainWordsOf(file, 'name', maxLength);
}

function mimeOf(file: Document): string | undefined {
  const mime = mediaTypeOf(file);
  return mime !== undefined && MIME.test(mime) ? mime : undefined;
}

function guessedType(url: string, type: string | undefined): string | undefined {
  const extension = /\.([a-z0-9]{3,4})$/i.exec(parseUrl(url)?.pathname ?? '')?.[1] ?? '';
  const names = [extension, type ?? ''].map((name) => name.toLowerCase());
  const known = names.find((name) => Object.hasOwn(TYPES, name));
  return known === undefined ? undefined : TYPES[known];
}

function kindOf(mimeType: string): AttachmentType {
  const kind = mimeType.split('/')[0];
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'unknown';
}

function sideOf(value: unknown): number | null {
  const side = countOf(value);
  return side !== undefined && side > 0 && side <= MAX_SIDE ? side : null;
}

function blurhashOf({ blurhash }: Document): string | null {
  return typeof blurhash === 'string' && BLURHASH.test(blurhash) ? blurhash : null;
}

function durationOf(value: unknown): number | null {
  if (typeof value !== 'string') return countOf(value) ?? null;
  const parts = DURATION.exec(value);
  if (!parts) return null;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part: string | undefined) => Number(part ?? 0));
  return hours * 3600 + minutes * 60 + seconds;
}
