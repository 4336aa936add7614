import { parseUrl } from '../urls/urls.js';

/** A place in an S3-compatible storage. */
export interface BucketAddress {
  readonly bucket: string;
  /** Stands before every key: empty, or with a slash at its end. */
  readonly prefix: string;
  /** The origin of the server; undefined for Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Whether the bucket stands in the path of a request instead of the host name. */
  readonly pathStyle: boolean;
}

/** An object of a storage, such as a backup. */
export interface ObjectAddress {
  /** With an empty prefix. */
  readonly bucket: BucketAddress;
  readonly key: string;
}

/** What an access key consists of. */
export interface BucketKey {
  readonly id: string;
  readonly secret: string;
}

const FORM = 's3://bucket/folder?endpoint=https://host&region=name&path-style=true';
const DEFAULT_REGION = 'us-east-1';
/** The names that every storage accepts. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Folders and a name, none of them hidden or empty. */
const PATH = /^(?!.{513})[\w~-][\w.~-]*(\/[\w~-][\w.~-]*)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const PARAMETERS = ['endpoint', 'region', 'path-style'];

/** Whether a text is meant as an address of a bucket and not as a path of this machine. */
export function isBucketUrl(text: string): boolean {
  return text.startsWith('s3://');
}

/**
 * Reads the address of a folder in a bucket. What it leaves out is that of `like`: for a backup beside the files.
 * @throws Error whose message says what is expected; it never repeats the text, which may hold a secret
 */
export function parseBucketUrl(text: string, like?: BucketAddress): BucketAddress {
  const url = isBucketUrl(text) ? parseUrl(text) : null;
  if (!url) throw new Error(`expected ${FORM}`);
  if (url.username || url.password) {
    throw new Error('the access key must not stand in the address: use STORAGE_KEY_FILE');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined || url.hash) throw new Error(`expected no other parameters than ${PARAMETERS.join(', ')}`);
  const path = url.pathname.replace(/^\/|\/+$/g, '');
  if (!BUCKET.test(url.host)) throw new Error('expected the name of a bucket: a-z, 0-9, dots and dashes');
  if (path !== '' && !PATH.test(path)) throw new Error('expected a folder of letters, digits and - _ . ~');
  return { bucket: url.host, prefix: path === '' ? '' : `${path}/`, ...serverOf(url.searchParams, like) };
}

/**
 * Reads the address of one object, as {@link parseBucketUrl}.
 * @throws Error also when the key is missing
 */
export function parseObjectUrl(text: string, like?: BucketAddress): ObjectAddress {
  const { prefix, ...place } = parseBucketUrl(text, like);
  if (prefix === '') throw new Error('expected s3://bucket/name');
  return { bucket: { ...place, prefix: '' }, key: prefix.slice(0, -1) };
}

/**
 * Reads an access key: its id and its secret, on two lines.
 * @throws Error when the text has another form
 */
export function parseBucketKey(text: string): BucketKey {
  const [id = '', secret = '', ...more] = text.trim().split(/\s+/);
  if (secret === '' || more.length > 0) throw new Error('expected two lines: the id of the access key, and its secret');
  return { id, secret };
}

function serverOf(
  given: URLSearchParams,
  like: BucketAddress | undefined,
): Pick<BucketAddress, 'endpoint' | 'region' | 'pathStyle'> {
  const endpoint = given.has('endpoint') ? originOf(given.get('endpoint') ?? '') : like?.endpoint;
  const region = given.get('region') ?? like?.region ?? DEFAULT_REGION;
  if (!REGION.test(region)) throw new Error('expected a region of a-z, 0-9 and dashes');
  return { endpoint, region, pathStyle: flagOf(given.get('path-style')) ?? like?.pathStyle ?? endpoint !== undefined };
}

function originOf(text: string): string {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new Error('expected endpoint=https://host[:port] without a path');
}

function flagOf(text: string | null): boolean | undefined {
  if (text === null) return undefined;
  if (text !== 'true' && text !== 'false') throw new Error('expected path-style=true or path-style=false');
  return text === 'true';
}
