import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { asReason, Forbidden, Invalid, isShortcode, phrase } from '../../common/index.js';
import { BadArchive, filesOfZip, type ZipEntry, zipped, type ZippedFile } from '../../platform/index.js';
import { requirePack } from './pack-changes.js';
import { EmojiCache } from '../custom/emoji-cache.js';
import { asInvalid, PackFetch } from './pack-fetch.js';
import { type Manifest, manifestOf, manifestText, MAX_FILES, NO_METADATA } from './pack.manifest.js';
import { isPictureName } from '../model/pack-names.js';
import { flatName, MANIFEST, withoutFolders } from './pack-paths.js';
import { PackPictures } from './pack-pictures.js';
import { MAX_PICTURE_BYTES, PackStore } from './pack.store.js';

/** The limit of an archive in bytes, packed and unpacked (threat E3). */
export const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const LIMITS = {
  maxEntries: MAX_FILES + 1,
  maxEntryBytes: MAX_PICTURE_BYTES,
  maxTotalBytes: MAX_ARCHIVE_BYTES,
  skipFolders: true,
};
/** The date of all files in our archives, so that equal packs make equal archives. */
const MODIFIED_AT = new Date('2000-01-01T00:00:00Z');

/** An unpacked pack: drafts by file names. The caller makes a pack of them or discards them. */
export interface UnpackedPack {
  readonly manifest: Manifest;
  readonly drafts: ReadonlyMap<string, string>;
}

/** Packs as zip archives. */
@Injectable()
export class PackArchives implements OnModuleInit {
  /** Checksums of archives, valid until the pack changes. */
  private readonly sums = new Map<string, { readonly state: string; readonly sha256: Promise<string | undefined> }>();

  constructor(
    private readonly store: PackStore,
    private readonly pictures: PackPictures,
    private readonly fetch: PackFetch,
    private readonly known: EmojiCache,
  ) {}

  /** Drops the checksums when emoji change: two changes within one tick of the disk's clock have the same fingerprint. */
  onModuleInit(): void {
    this.known.onChange(() => this.sums.clear());
  }

  /** What everybody may see of a pack: all but its disabled emoji. */
  forOthers(name: string, { files, metadata }: Manifest): Manifest {
    return { files: new Map([...files].filter(([shortcode]) => !this.known.isDisabled(name, shortcode))), metadata };
  }

  /**
   * The archive of a shared pack, without its disabled emoji.
   * @throws Invalid, NotFound; Forbidden for a pack that is not shared or lacks a file
   */
  async archive(name: string): Promise<Readable> {
    const manifest = this.forOthers(name, await requirePack(this.store, name));
    if ((await this.sha256(name, manifest)) === undefined) {
      throw new Forbidden(
        phrase('Pack {name} cannot be downloaded: it is not shared, or some of its files are missing', { name }),
      );
    }
    return zipped(this.entries(name, manifest));
  }

  /**
   * The checksum of a pack's archive; undefined when the pack is not shared or lacks a file.
   * @throws StorageError
   */
  async sha256(name: string, whole: Manifest): Promise<string | undefined> {
    if (!whole.metadata.shareFiles) return undefined;
    const manifest = this.forOthers(name, whole);
    const fingerprint = (await this.store.fingerprint(name)) ?? '';
    const state = `${fingerprint} ${sha256Of(manifestText(manifest))}`; // the pack may have changed since it was read
    const known = this.sums.get(name);
    if (known?.state === state) return known.sha256;
    const sha256 = hashOf(zipped(this.entries(name, manifest))).catch(unlessIncomplete);
    this.sums.set(name, { state, sha256 });
    const forget = () => {
      if (this.sums.get(name)?.sha256 === sha256) this.sums.delete(name); // the next read may find what is missing
    };
    sha256.then((sum) => sum ?? forget(), forget);
    return sha256;
  }

  /**
   * Checks the fallback archive of a pack; returns its checksum.
   * @throws Invalid when it cannot be fetched, has another checksum than expected, or lacks a file
   */
  async fallback(url: string, expected: string | null | undefined, files: readonly string[]): Promise<string> {
    const archive = await asInvalid(this.fetched(url));
    const sha256 = sha256Of(archive);
    if (expected && expected.toUpperCase() !== sha256)
      throw new Invalid('The checksum is not that of the fallback archive');
    const found = withoutFolders(await orInvalid(() => filesOfZip(archive, LIMITS)), files);
    const names = new Set(found.map(({ path }) => path));
    if (files.some((file) => !names.has(file))) {
      throw new Invalid('The fallback archive does not have all files specified in pack.json');
    }
    return sha256;
  }

  /** @throws Invalid when the download fails, RemoteFailure when the other server or the connection fails */
  fetched(url: string): Promise<Buffer> {
    return this.fetch.bytes({ url, maxBytes: MAX_ARCHIVE_BYTES, timeoutMs: TIMEOUT_MS });
  }

  /**
   * Unpacks an archive of pictures. Takes shortcodes from `known`, else from its `pack.json`, else from the file names.
   * Rejects the whole archive when one file does not belong in it (threats E2, E3).
   * @throws Invalid
   */
  async unpack(archive: Buffer, known?: Manifest): Promise<UnpackedPack> {
    return this.checked(await orInvalid(() => filesOfZip(archive, LIMITS)), known);
  }

  /** Like {@link unpack}, for separate files. */
  async checked(given: readonly ZippedFile[], known?: Manifest): Promise<UnpackedPack> {
    const all = withoutFolders(given, known && [...known.files.values()]);
    await this.store.requireRoom();
    const drafts = new Map<string, string>();
    try {
      for (const { path } of all) requireFileName(path);
      const manifest = known ?? (await manifestAmong(all));
      if (manifest.files.size === 0) throw new Invalid('There is no emoji in the archive');
      const wanted = new Set(manifest.files.values());
      for (const file of all) {
        if (wanted.has(file.path)) drafts.set(file.path, await this.draftOf(file));
        else if (file.path !== MANIFEST) await orInvalid(() => file.content());
      }
      const missing = [...wanted].find((file) => !drafts.has(file));
      if (missing !== undefined)
        throw new Invalid(phrase('{name} is not in the archive', { name: JSON.stringify(missing) }));
      return { manifest, drafts };
    } catch (error) {
      await this.store.discard(...drafts.values());
      throw error;
    }
  }

  private async draftOf(file: ZippedFile): Promise<string> {
    const draft = await this.store.draft(await orInvalid(() => file.content()));
    try {
      const { content } = await this.pictures.check(draft, file.path);
      return await this.store.draft(content);
    } finally {
      await this.store.discard(draft);
    }
  }

  private async *entries(name: string, manifest: Manifest): AsyncGenerator<ZipEntry> {
    yield { path: MANIFEST, content: Readable.from([Buffer.from(manifestText(manifest))]), modifiedAt: MODIFIED_AT };
    for (const file of [...new Set(manifest.files.values())].sort()) {
      const stored = await this.store.picture(name, file);
      if (!stored) throw new IncompletePack(`The pack ${name} lacks a file`);
      yield { path: file, content: Readable.from([stored.content]), modifiedAt: MODIFIED_AT, isPacked: true };
    }
  }
}

class IncompletePack extends Error {}

/** For a failed archive: undefined when the pack lacks a file, else throws. */
function unlessIncomplete(error: unknown): undefined {
  if (!(error instanceof IncompletePack)) throw error;
  return undefined;
}

function sha256Of(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').toUpperCase();
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex').toUpperCase();
}

function requireFileName(path: string): void {
  if (path === MANIFEST || isPictureName(path)) return;
  throw new Invalid(phrase('{name} cannot be a picture of a pack', { name: JSON.stringify(path) }));
}

async function manifestAmong(files: readonly ZippedFile[]): Promise<Manifest> {
  const file = files.find(({ path }) => path === MANIFEST);
  const written = file && (await orInvalid(() => file.content()));
  if (!written) return { files: byTheirNames(files), metadata: NO_METADATA };
  const manifest = manifestOf(written.toString('utf8'), flatName);
  if (!manifest) throw new Invalid('The pack.json of the archive is unreadable');
  return manifest;
}

function byTheirNames(files: readonly ZippedFile[]): Map<string, string> {
  const named = files.map(({ path }): [string, string] => [path.slice(0, path.lastIndexOf('.')), path]);
  return new Map(named.filter(([shortcode]) => isShortcode(shortcode)));
}

async function orInvalid<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadArchive) throw new Invalid(asReason(error.message), { cause: error });
    throw error;
  }
}
