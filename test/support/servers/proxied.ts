import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestListener } from 'node:http';
import { type SettingPath, SettingsService } from '../../../src/config/index.js';
import { MediaUrls } from '../../../src/media/index.js';
import { digestOf } from '../../../src/media/proxy/proxy-cache.js';
import type { TestApp } from './app.js';
import { eventually } from '../eventually.js';

/** The beginning of a picture, padded to a number of bytes. */
export function gifOf(bytes: number, fill = 0): Buffer {
  return Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(bytes - 6, fill)]);
}

/** Answers with a file. */
export function sending(content: Buffer | string, type = 'image/gif'): RequestListener {
  return (_request, response) => response.setHeader('content-type', type).end(content);
}

export function leadingTo(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { location }).end();
}

/** Switches the proxy on, with further settings. */
export async function proxyOn(app: TestApp, settings: Partial<Record<SettingPath, unknown>> = {}): Promise<void> {
  const changes = Object.entries({ 'media_proxy.enabled': true, ...settings });
  await app.get(SettingsService).update(changes.map(([path, value]) => ({ path, value })));
}

/** The proxy path for viewers of a remote file. */
export function proxied(app: TestApp, url: string): string {
  const { pathname, search, origin } = new URL(app.get(MediaUrls).remote(url));
  if (origin !== app.env.baseUrl) throw new Error(`${url} is not proxied`);
  return pathname + search;
}

/** The path of its preview. */
export function previewed(app: TestApp, url: string, still = false): string {
  const urls = app.get(MediaUrls);
  const row = {
    fileKey: null,
    thumbnailKey: null,
    remoteUrl: url,
    remotePreviewUrl: null,
    type: 'image',
  } as const;
  const { pathname, search } = new URL(still ? urls.still(url) : urls.previewOf(row)!);
  return pathname + search;
}

/** Empties the proxy's cache. Keeps its folders: a finished answer may still write a file there. */
export async function forgetFiles(app: TestApp): Promise<void> {
  await Promise.all((await keptFiles(app)).map(({ path }) => rm(path, { force: true })));
}

/** Ages a cached file by minutes since its last use and since its download. */
export async function letPass(app: TestApp, url: string, sinceUse: number, sinceFetched = sinceUse): Promise<void> {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const own = (await keptFiles(app)).filter(({ path }) => path.includes(`/${digestOf(url)}.`));
  for (const { path } of own) await utimes(path, ago(sinceUse), ago(sinceFetched));
}

/** A cached file. */
interface StoredFile {
  readonly path: string;
  readonly size: number;
}

/** Waits until the cache is empty: files are removed after the answer to the request. */
export async function expectNothingKept(app: TestApp): Promise<void> {
  await eventually(async () => expect(await keptFiles(app)).toEqual([]));
}

/** The cached files with their sizes, once no download is running. */
export async function keptFiles(app: TestApp): Promise<StoredFile[]> {
  const root = join(app.env.dataDir, 'proxy');
  await eventually(async () => {
    const drafts = await readdir(join(root, '.drafts')).catch(() => []);
    if (drafts.length > 0) throw new Error('Files are still on their way');
  });
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = files.map((path) =>
    stat(path).then(
      ({ size }) => [{ path, size }],
      () => [], // it was closed meanwhile
    ),
  );
  return (await Promise.all(found)).flat();
}
