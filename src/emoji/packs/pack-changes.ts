import { Injectable, Logger } from '@nestjs/common';
import { Conflict, Invalid, NotFound, phrase, type Reason } from '../../common/index.js';
import { Events, UnitOfWork } from '../../platform/index.js';
import { CustomEmojiRepository } from '../model/custom-emoji.repository.js';
import { EmojiChanged } from '../model/emoji.events.js';
import { EmojiCache } from '../custom/emoji-cache.js';
import type { Manifest } from './pack.manifest.js';
import { isPackName } from '../model/pack-names.js';
import { PackStore } from './pack.store.js';

/**
 * Serialises changes of packs across all processes (threat E8). Writes rows first, then files, then commits: a failure
 * leaves no emoji without its picture, at most an unused file. Announces the change after that.
 */
@Injectable()
export class PackChanges {
  private readonly logger = new Logger(PackChanges.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly repository: CustomEmojiRepository,
    private readonly store: PackStore,
    private readonly known: EmojiCache,
  ) {}

  /** Runs a change under the lock of all packs. This process has loaded it when the promise resolves. */
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
   * Removes files without an emoji after the change has been committed; until then a rollback may need them. Holds the
   * lock, since another change could create a file of the same name.
   */
  async clear(pack: string, files: readonly string[]): Promise<void> {
    await this.locked(async () => {
      const used = new Set((await this.store.manifest(pack))?.files.values());
      for (const file of files) if (!used.has(file)) await this.store.remove(pack, file);
    });
  }

  /** Runs what changes no emoji, such as the removal of files without any, under the lock of all packs. */
  locked(work: () => Promise<void>): Promise<void> {
    return this.uow.run(async () => {
      await this.repository.lock();
      await work();
    });
  }

  /** Makes a pack of drafts, with rows for its emoji. Returns the added shortcodes. @throws Conflict when the name is taken */
  async create(pack: string, manifest: Manifest, drafts: ReadonlyMap<string, string>): Promise<string[]> {
    const made = { isNew: false };
    try {
      return await this.run(async () => {
        if (await this.store.has(pack))
          throw new Conflict(phrase('A pack named {name} already exists', { name: JSON.stringify(pack) }));
        const added = await this.repository.insert(pack, manifest.files);
        made.isNew = true;
        await this.store.create(pack, manifest, drafts);
        return added;
      });
    } catch (error) {
      if (made.isNew) await this.discardUncommitted(pack);
      throw error;
    }
  }

  /** Removes a new pack without its emoji: it would take its name from the next try. A failed commit may have succeeded. */
  private async discardUncommitted(pack: string): Promise<void> {
    try {
      await this.locked(async () => {
        if (!(await this.store.has(pack)) || (await this.repository.hasEmoji(pack))) return;
        await this.store.discard(await this.store.detach(pack));
      });
    } catch (error) {
      this.logger.warn({ err: error, pack }, 'A pack without its emoji was not removed');
    }
  }
}

/** @throws Invalid for an invalid pack name */
export function requirePackName(name: string): void {
  if (name.trim() === '') throw new Invalid('pack name cannot be empty');
  if (!isPackName(name)) throw new Invalid('The name of a pack has letters, digits, spaces, dots and dashes');
}

/** The manifest of a pack. @throws Invalid for an invalid name, NotFound when there is none */
export async function requirePack(
  store: PackStore,
  name: string,
  missing: Reason = phrase('Pack {name} does not exist', { name }),
): Promise<Manifest> {
  requirePackName(name);
  const manifest = await store.manifest(name);
  if (!manifest) throw new NotFound(missing);
  return manifest;
}
