import { writeFile } from 'node:fs/promises';
import { TooLarge } from '../errors/errors.js';
import { emptyData } from './plain-data.js';
import type { Body } from '../routing/request.js';
import { type FileRules, removeFiles, UploadedFile } from './uploads.js';

const HEAD = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[\w.-]+)*;base64$/;
const LONGEST_HEAD = 255;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const FILE_NAME = 'data';

/** The parts of a `data:` URI. */
interface Data {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/**
 * Turns `data:` URIs in file fields into uploads (RFC 2397, base64 only). Leaves other values for the request class to
 * refuse. Nothing stays on disk when it fails.
 * @throws TooLarge
 */
export async function unpackDataUris(
  values: Readonly<Record<string, unknown>>,
  { maxBytes }: FileRules,
  newPath: () => string,
): Promise<Body> {
  const found = Object.entries(values).flatMap(([name, value]) => {
    const most = maxBytes(name);
    const data = most === undefined ? undefined : readDataUri(value);
    if (data && data.bytes.length > (most ?? 0)) throw new TooLarge();
    return data ? [{ name, ...data, path: newPath() }] : [];
  });
  if (found.length === 0) return { values, paths: [] };
  const paths = found.map(({ path }) => path);
  const writing = found.map(({ path, bytes }) => writeFile(path, bytes, { flag: 'wx', mode: 0o600 }));
  try {
    await Promise.all(writing);
  } catch (error) {
    await Promise.allSettled(writing);
    await removeFiles(paths);
    throw error;
  }
  const files = found.map(({ path, mimeType, bytes }) => new UploadedFile(path, FILE_NAME, mimeType, bytes.length));
  const byName = Object.fromEntries(found.map(({ name }, at) => [name, files[at]]));
  return { values: Object.assign(emptyData(), values, byName), paths };
}

/** Undefined for any other or malformed text. */
function readDataUri(value: unknown): Data | undefined {
  if (typeof value !== 'string' || !value.startsWith('data:')) return undefined;
  const comma = value.indexOf(',');
  const [isHead, mimeType = ''] = (comma <= LONGEST_HEAD && HEAD.exec(value.slice(0, Math.max(comma, 0)))) || [];
  const data = value.slice(comma + 1);
  if (isHead === undefined || data.length % 4 !== 0 || !BASE64.test(data)) return undefined;
  return { mimeType, bytes: Buffer.from(data, 'base64') };
}
