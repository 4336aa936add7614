import { Injectable } from '@nestjs/common';
import { Conflict, Invalid, NotFound } from '../../common/index.js';
import { Events, UnitOfWork } from '../../platform/index.js';
import { CustomEmojiRepository } from '../model/custom-emoji.repository.js';
import { EmojiChanged } from '../model/emoji.events.js';
import { EmojiCache } from '../custom/emoji-cache.js';
import type { Manifest } from './pack.manifest.js';
import { isPackName } from '../model/pack-names.js';
import { PackStore } from './pack.store.js';

/**
 * Changes of packs, one after the other in all processes (threat E8). Rows are written first, then the files, then the unit
 * commits: what fails leaves no emoji without its picture, at most a file that nobody names. Processes hear of it after that.
 */
@Injectable()
export class PackChanges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly repository: CustomEmojiRepository,
    private readonly store: PackStore,
    private readonly known: EmojiCache,
  ) {}

  /** Runs a change while nobody else changes anything. Here it holds as soon as this resolves. */
  async run<T>(change: () => Promise<T>): Promise<T> {
    const result = await this.uow.run(async () => {
      await this.repository.lock();
      const done = await change();
      this.events.emit(new EmojiChanged());
      return done;
    });
    await this.known.settled();
    return result;
  }

  /**
   * Removes files that no emoji of the pack has any more. After the change that took them from their emoji: until that is
   * committed they may be needed again. Nobody else changes anything meanwhile, or a file of the same name could be a new one.
   */
  async clear(pack: string, files: readonly string[]): Promise<void> {
    await this.uow.run(async () => {
      await this.repository.lock();
      const used = new Set((await this.store.manifest(pack))?.files.values());
      for (const file of files) if (!used.has(file)) await this.store.remove(pack, file);
    });
  }

  /** Makes a pack of drafts, with rows for its emoji. Answers what became of it. @throws Conflict when the name is taken */
  create(pack: string, manifest: Manifest, drafts: ReadonlyMap<string, string>): Promise<string[]> {
    return this.run(async () => {
      if (await this.store.hasFolder(pack)) throw new Conflict(`A pack named ${JSON.stringify(pack)} already exists`);
      const added = await this.repository.insert(pack, manifest.files);
      await this.store.create(pack, manifest, drafts);
      return added;
    });
  }
}

/** @throws Invalid for what no pack is called */
export function requirePackName(name: string): void {
  if (name.trim() === '') throw new Invalid('pack name cannot be empty');
  if (!isPackName(name)) throw new Invalid('The name of a pack has letters, digits, spaces, dots and dashes');
}

/** What a pack says of itself. @throws Invalid for what no pack is called, NotFound when there is none */
export async function requirePack(
  store: PackStore,
  name: string,
  missing = `Pack ${name} does not exist`,
): Promise<Manifest> {
  requirePackName(name);
  const manifest = await store.manifest(name);
  if (!manifest) throw new NotFound(missing);
  return manifest;
}
