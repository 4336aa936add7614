import { Injectable, Logger } from '@nestjs/common';
import { Conflict, isShortcode, NotFound, phrase, Upstream } from '../../common/index.js';
import { DAILY, Recurs } from '../../platform/index.js';
import { CustomEmojiRepository, type CustomEmojiRow, type EmojiChanges } from '../model/custom-emoji.repository.js';
import { PackArchives } from './pack-archives.js';
import { PackChanges, requirePack, requirePackName } from './pack-changes.js';
import { type Manifest, MAX_FILES, NO_METADATA, type PackMetadata } from './pack.manifest.js';
import { PackPictures } from './pack-pictures.js';
import { PackStore } from './pack.store.js';

/** A pack with its name. */
export interface NamedPack extends Manifest {
  readonly name: string;
}

/** Changes of a pack's metadata; undefined fields stay. */
export type MetadataChanges = { readonly [K in keyof PackMetadata]?: PackMetadata[K] | undefined };

const UNREADABLE = 'The pack.json of a pack is unreadable or larger than 1 MiB: its emoji stay as they are';

/** Manages packs of custom emoji: folders on this server's disk (spec §4.2). */
@Injectable()
export class PacksService {
  private readonly logger = new Logger(PacksService.name);

  constructor(
    private readonly store: PackStore,
    private readonly changes: PackChanges,
    private readonly repository: CustomEmojiRepository,
    private readonly pictures: PackPictures,
    private readonly archives: PackArchives,
  ) {}

  /** A page of the packs by name, with their total. Page 0 is the last one: dashboards count so. */
  async page(page: number, size: number): Promise<{ readonly packs: NamedPack[]; readonly count: number }> {
    const packs: NamedPack[] = [];
    for (const name of await this.store.names()) {
      const manifest = await this.store.manifest(name);
      if (manifest) packs.push({ name, ...manifest });
    }
    const at = page === 0 ? Math.ceil(packs.length / size) : page;
    return { packs: packs.slice((at - 1) * size, at * size), count: packs.length };
  }

  /** @throws Invalid for an invalid pack name, NotFound when there is none */
  async byName(name: string): Promise<NamedPack> {
    return { name, ...(await requirePack(this.store, name)) };
  }

  /** Makes an empty pack unless there is one. @throws Invalid for an invalid name */
  async require(name: string): Promise<void> {
    try {
      await this.create(name);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }

  /** Makes an empty pack. @throws Invalid, Conflict when the name is taken */
  async create(name: string): Promise<void> {
    requirePackName(name);
    await this.changes.create(name, { files: new Map(), metadata: NO_METADATA }, new Map());
  }

  /**
   * Changes the metadata of a pack. A new fallback archive is checked first: it must hold all of its files.
   * @throws Invalid, NotFound
   */
  async describe(name: string, changes: MetadataChanges): Promise<PackMetadata> {
    const before = await requirePack(this.store, name);
    const { fallbackSrc, fallbackSha256 } = before.metadata;
    const { fallbackSrc: url } = merged(before.metadata, changes);
    // Dashboards send back all that they show; only another checksum is one to compare with.
    const isKnown = changes.fallbackSha256?.toUpperCase() === fallbackSha256?.toUpperCase();
    const expected = isKnown ? undefined : changes.fallbackSha256;
    const isNew = url !== fallbackSrc || expected !== undefined;
    const seen =
      url !== null && isNew
        ? { url, sha256: await this.archives.fallback(url, expected, [...before.files.values()]) }
        : undefined;
    return this.changes.run(async () => {
      const { files, metadata } = await requirePack(this.store, name);
      const wanted = merged(metadata, changes); // keeps concurrent changes
      const sha256 = wanted.fallbackSrc === seen?.url ? seen.sha256 : metadata.fallbackSha256;
      const changed = { ...wanted, fallbackSha256: wanted.fallbackSrc === null ? null : sha256 };
      await this.store.save(name, { files, metadata: changed });
      return changed;
    });
  }

  /**
   * Removes a pack with its emoji: the files after the rows, so that a removal that ends in between can be repeated.
   * @throws Invalid, NotFound, Upstream when the disk fails
   */
  async remove(name: string): Promise<void> {
    await this.changes.run(async () => {
      await requirePack(this.store, name);
      await this.repository.removePack(name);
    });
    const isGone = await this.changes.removeFiles(name);
    if (!isGone) throw new Upstream(phrase("Couldn't delete the {name} pack", { name })); // an import brought it back
  }

  /**
   * Imports the folder of the packs: makes packs of other folders, and emoji of the pictures in packs, which leave the
   * folders within a pack. Returns the names of the packs with new emoji. Ignores folders with invalid pictures.
   */
  async importFromDisk(): Promise<string[]> {
    const folders = await this.changes.run(async () => {
      const names = await this.store.names();
      for (const name of names) await this.flatten(name);
      return names;
    });
    for (const name of folders) if (!(await this.store.hasManifest(name))) await this.makePack(name);
    return this.changes.run(() => this.alignRows());
  }

  @Recurs({ job: 'emoji.sweep-unfinished', everyMinutes: DAILY })
  async removeUnfinished(): Promise<void> {
    for (const pack of await this.store.unfinished()) {
      await this.changes.locked(() => this.store.removeUnfinished(pack)); // other changes wait for one pack at a time
    }
  }

  /** All emoji of all packs, including disabled ones. */
  emoji(): Promise<CustomEmojiRow[]> {
    return this.repository.all();
  }

  /** Changes the description or the visibility of an emoji. Throws NotFound. */
  async describeEmoji(shortcode: string, changes: EmojiChanges): Promise<void> {
    await this.changes.run(async () => {
      if (!(await this.repository.describe(shortcode, changes)))
        throw new NotFound(phrase('There is no emoji :{name}:', { name: shortcode }));
    });
  }

  /**
   * Aligns the rows with the packs; returns those with new emoji. An emoji that its pack has lost goes with all that was set
   * to the first other pack that has it, such as the same folder under a new name. Rows of unreadable packs stay.
   */
  private async alignRows(): Promise<string[]> {
    const packs = new Map<string, Manifest['files']>();
    const unreadable = new Set<string>();
    for (const name of await this.store.names()) {
      const manifest = await this.store.manifest(name);
      if (manifest) packs.set(name, manifest.files);
      else if (await this.store.hasManifest(name)) unreadable.add(name);
    }
    for (const pack of unreadable) this.logger.warn({ pack }, UNREADABLE);
    const rows = await this.repository.all();
    const isLost = ({ pack, shortcode }: CustomEmojiRow) => !unreadable.has(pack) && !packs.get(pack)?.has(shortcode);
    const lost = new Set(rows.filter(isLost).map(({ shortcode }) => shortcode));
    const found = new Set<string>();
    for (const [name, files] of packs) {
      const given = [...files.keys()].filter((shortcode) => lost.delete(shortcode));
      if ((await this.repository.refile(name, files, given)) > 0) found.add(name);
    }
    await this.repository.removeAll([...lost]);
    for (const [name, files] of packs) if ((await this.repository.insert(name, files)).length > 0) found.add(name);
    return [...found].sort();
  }

  private async flatten(pack: string): Promise<void> {
    const files = await this.store.flatten(pack);
    if (files.length > 0) this.logger.warn({ pack, files }, 'Files of a pack stay in folders: their names are taken');
  }

  /** Makes a pack of a folder of pictures, which give the emoji their names. */
  private async makePack(name: string): Promise<void> {
    const files = new Map<string, string>();
    for (const file of await this.store.pictures(name)) {
      const shortcode = file.slice(0, file.lastIndexOf('.'));
      if (files.size >= MAX_FILES || !isShortcode(shortcode) || files.has(shortcode)) continue;
      if (await this.isPicture(name, file)) files.set(shortcode, file);
    }
    if (files.size === 0) return;
    await this.changes.run(async () => {
      if (!(await this.store.hasManifest(name))) await this.store.save(name, { files, metadata: NO_METADATA });
    });
  }

  private async isPicture(name: string, file: string): Promise<boolean> {
    const stored = await this.store.picture(name, file);
    if (!stored) return false;
    const draft = await this.store.draft(stored.content);
    try {
      const { content } = await this.pictures.check(draft, file);
      if (!content.equals(stored.content)) await this.store.place(await this.store.draft(content), name, file);
      return true;
    } catch (error) {
      this.logger.warn({ err: error, pack: name, file }, 'A file is not taken over as an emoji');
      return false;
    } finally {
      await this.store.discard(draft);
    }
  }
}

function merged(metadata: PackMetadata, changes: MetadataChanges): PackMetadata {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...metadata, ...(Object.fromEntries(given) as Partial<PackMetadata>) };
}
