import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Invalid, isPlainObject, phrase, readForeignDocument } from '../../common/index.js';
import { Brand, parseUrl } from '../../platform/index.js';
import { PackArchives, type UnpackedPack } from './pack-archives.js';
import { PackChanges, requirePackName } from './pack-changes.js';
import { asInvalid, PackFetch } from './pack-fetch.js';
import { type Manifest, manifestIn, MAX_FILES } from './pack.manifest.js';
import { flatName, readPackFolder } from './pack-paths.js';
import { isPackName } from '../model/pack-names.js';
import { PackStore } from './pack.store.js';
import type { NamedPack } from './packs.service.js';

const UNSUPPORTED = 'The requested instance does not support sharing emoji packs';
const NOT_SHARED = 'The pack was not set as shared and there is no fallback src to download from';
const FEATURE = 'shareable_emoji_packs';
const NODEINFO = /\/ns\/schema\/2\.[01]$/;
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** The address of another server's pictures, and their checksum. */
interface Source {
  readonly url: string;
  readonly sha256: string;
}

/** Imports packs: from other servers, through the guarded fetcher, and from archives (threats E4, S7). */
@Injectable()
export class PackTransferService {
  constructor(
    private readonly brand: Brand,
    private readonly fetch: PackFetch,
    private readonly archives: PackArchives,
    private readonly changes: PackChanges,
    private readonly store: PackStore,
  ) {}

  /** A page of the packs of another server. @throws Invalid when that server shares none */
  remote(url: string, page: number, size: number): Promise<{ packs: NamedPack[]; count: number }> {
    return asInvalid(this.listed(url, page, size), UNSUPPORTED);
  }

  /**
   * Copies a pack of another server.
   * @throws Invalid for a pack that is not shared or does not match, Conflict when the name is taken, RemoteFailure when the
   * other server fails
   */
  async download(url: string, name: string, as: string): Promise<void> {
    requirePackName(name);
    requirePackName(as);
    const origin = await this.sharing(url);
    const pack = await this.object(this.address(origin, 'pack', { name, page_size: String(MAX_FILES) }));
    const manifest = manifestIn(pack, flatName);
    if (!manifest) throw new Invalid(UNSUPPORTED);
    const source = sourceOf(pack, manifest, this.address(origin, 'packs/archive', { name }));
    const archive = await this.archives.fetched(source.url);
    const sha256 = createHash('sha256').update(archive).digest('hex');
    if (sha256 !== source.sha256.toLowerCase()) {
      throw new Invalid("SHA256 for the pack doesn't match the one sent by the server");
    }
    await this.importArchive(as, archive, { ...manifest, metadata: { ...manifest.metadata, shareFiles: false } });
  }

  /** Makes a pack of an archive. @throws Invalid for an invalid archive, Conflict when the name is taken */
  async unpack(name: string, archive: { readonly path: string } | string): Promise<void> {
    requirePackName(name);
    const content =
      typeof archive === 'string' ? await asInvalid(this.archives.fetched(archive)) : await readFile(archive.path);
    await this.importArchive(name, content);
  }

  /**
   * Makes a pack of the pictures in a local folder and the folders in it; ignores other files and hidden folders, and
   * follows no links.
   * @throws Invalid when there are none, Conflict when the name is taken
   */
  async copyFolder(name: string, folder: string): Promise<void> {
    requirePackName(name);
    const files = await readPackFolder(folder);
    if (files.length > MAX_FILES + 1) throw new Invalid(phrase('A pack has at most {max} emoji', { max: MAX_FILES }));
    const all = files.map(({ path, name: flat }) => ({ path: flat, content: () => readFile(join(folder, path)) }));
    await this.make(name, await this.archives.checked(all));
  }

  private async listed(url: string, page: number, size: number): Promise<{ packs: NamedPack[]; count: number }> {
    const origin = await this.sharing(url);
    const list = await this.object(this.address(origin, 'packs', { page: String(page), page_size: String(size) }));
    if (!isPlainObject(list['packs'])) throw new Invalid(UNSUPPORTED);
    const packs = Object.entries(list['packs'])
      .slice(0, size)
      .flatMap(([name, value]) => named(name, value) ?? []);
    const count = typeof list['count'] === 'number' ? Math.max(0, Math.trunc(list['count'])) : packs.length;
    return { packs, count };
  }

  private async importArchive(name: string, archive: Buffer, known?: Manifest): Promise<void> {
    await this.make(name, await this.archives.unpack(archive, known));
  }

  private async make(name: string, { manifest, drafts }: UnpackedPack): Promise<void> {
    try {
      await this.changes.create(name, manifest, drafts);
    } finally {
      await this.store.discard(...drafts.values());
    }
  }

  /** The origin of a server that shares its packs, as its NodeInfo says. */
  private async sharing(url: string): Promise<string> {
    const origin = parseUrl(url)?.origin ?? '';
    const { links } = await this.object(`${origin}/.well-known/nodeinfo`);
    const link = (Array.isArray(links) ? links : [])
      .filter(isPlainObject)
      .find(({ rel }) => NODEINFO.test(String(rel)));
    const href = parseUrl(String(link?.['href']), origin);
    if (href?.origin !== origin) throw new Invalid(UNSUPPORTED);
    const { metadata } = await this.object(href.href);
    const features = isPlainObject(metadata) ? metadata['features'] : undefined;
    if (!Array.isArray(features) || !features.includes(FEATURE)) throw new Invalid(UNSUPPORTED);
    return origin;
  }

  private address(origin: string, path: string, query: Readonly<Record<string, string>>): string {
    const brand = this.brand.word;
    return `${origin}/api/v1/${brand}/emoji/${path}?${new URLSearchParams(query).toString()}`;
  }

  /** @throws Invalid for a response that is no JSON object and for a failed download; RemoteFailure */
  private async object(url: string): Promise<Readonly<Record<string, unknown>>> {
    const value = jsonIn(await this.fetch.bytes({ url, maxBytes: MAX_LIST_BYTES }));
    if (!isPlainObject(value)) throw new Invalid(UNSUPPORTED);
    return value;
  }
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return readForeignDocument(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function named(name: string, value: unknown): NamedPack | undefined {
  const manifest = manifestIn(value, flatName);
  return manifest && isPackName(name) ? { name, ...manifest } : undefined;
}

/** The server's own archive when it shares the pack, else the fallback archive; both with a checksum. */
function sourceOf(pack: Readonly<Record<string, unknown>>, { metadata }: Manifest, archive: string): Source {
  const own = isPlainObject(pack['pack']) ? pack['pack'] : {};
  const sha256 = own['download-sha256'];
  if (metadata.shareFiles && own['can-download'] === true && typeof sha256 === 'string')
    return { url: archive, sha256 };
  const { fallbackSrc: url, fallbackSha256 } = metadata;
  if (url === null || fallbackSha256 === null) throw new Invalid(NOT_SHARED);
  return { url, sha256: fallbackSha256 };
}
