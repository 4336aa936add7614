import { Injectable, Logger } from '@nestjs/common';
import { Conflict, Invalid, NotFound, phrase, type Reason, Upstream } from '../../common/index.js';
import { Events, UnitOfWork } from '../../platform/index.js';
import { CustomEmojiRepository } from '../model/custom-emoji.repository.js';
import { EmojiChanged } from '../model/emoji.events.js';
import { EmojiCache } from '../custom/emoji-cache.js';
import type { Manifest } from './pack.manifest.js';
import { isPackName } from '../model/pack-names.js';
import { PackStore } from './pack.store.js';

type Files = Manifest['files'];

/** A change of the files of a pack, whose rows are changed. */
export interface FileChange {
  readonly before: Manifest;
  readonly after: Files;
  /** Stores new pictures. */
  readonly write?: () => Promise<void>;
  /** The name under which `write` may replace a picture. */
  readonly replaces?: string;
  /** The change of another pack, which loses the emoji whose name is taken over. */
  readonly other?: PackFiles | undefined;
}

/** The files of a pack before and after a change. */
export interface PackFiles extends Pick<FileChange, 'before' | 'after'> {
  readonly pack: string;
}

/** What a change has done so far. */
interface Begun {
  change?: FileChange;
  transaction?: string | undefined;
  /** The draft with the picture that the change replaces. */
  replaced?: string | undefined;
}

/**
 * Serialises changes of packs across all processes (threat E8). Writes rows first, then files, then commits: the end of the
 * process leaves no emoji without its picture, at most an unused file. A pack is removed after the commit for that reason.
 * Announces the change after that.
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
   * Runs a change of the files of a pack, and returns those that it has then. Removes pictures without an emoji after the
   * commit: until then a rollback may need them. Undoes a change that fails.
   */
  async refile(pack: string, change: () => Promise<FileChange>): Promise<Files> {
    const begun: Begun = {};
    try {
      const changed = await this.run(async () => {
        const wanted = await change();
        begun.transaction = await this.repository.transaction();
        begun.change = wanted;
        begun.replaced = await this.replacedBy(pack, wanted);
        await wanted.write?.();
        for (const each of packsOf(pack, wanted))
          await this.store.save(each.pack, { files: each.after, metadata: each.before.metadata });
        return wanted;
      });
      for (const each of packsOf(pack, changed)) await this.clear(each.pack, each.before.files, each.after);
      return changed.after;
    } catch (error) {
      if (begun.change) for (const each of packsOf(pack, begun.change)) await this.undo(each, begun);
      throw error;
    } finally {
      if (begun.replaced !== undefined) await this.store.discard(begun.replaced);
    }
  }

  /** Runs what changes no emoji, such as the removal of files without any, under the lock of all packs. */
  locked<T>(work: () => Promise<T>): Promise<T> {
    return this.uow.run(async () => {
      await this.repository.lock();
      return work();
    });
  }

  /** Removes the files of a pack without rows; false when it has some. @throws Upstream when the disk fails */
  removeFiles(pack: string): Promise<boolean> {
    return this.locked(async () => {
      if (await this.repository.hasEmoji(pack)) return false;
      if (!(await this.store.has(pack))) return true;
      const remove = await this.store.detach(pack).catch((cause: unknown) => {
        throw new Upstream(phrase("Couldn't delete the {name} pack", { name: pack }), { cause });
      });
      await remove().catch((error: unknown) => this.logger.warn({ err: error, pack }, 'A pack was not removed'));
      return true;
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

  /** Undoes in the files what was not committed in the rows. A failed commit may have succeeded. */
  private async undo({ pack, before, after }: PackFiles, { change, transaction, replaced }: Begun): Promise<void> {
    try {
      await this.locked(async () => {
        const manifest = await this.store.manifest(pack);
        if (!manifest || (await this.repository.isCommitted(transaction))) return;
        const files = undone(manifest.files, before.files, after);
        const replaces = before === change?.before ? change.replaces : undefined;
        if (replaced !== undefined && replaces !== undefined && [...files.values()].includes(replaces))
          await this.store.place(replaced, pack, replaces);
        await this.store.save(pack, { ...manifest, files });
      });
      await this.clear(pack, after, before.files);
    } catch (error) {
      this.logger.warn({ err: error, pack }, 'A change that failed was not undone');
    }
  }

  /** A draft with the picture that a change replaces, if any. */
  private async replacedBy(pack: string, { replaces }: FileChange): Promise<string | undefined> {
    const picture = replaces === undefined ? undefined : await this.store.picture(pack, replaces);
    return picture && this.store.draft(picture.content);
  }

  /** Removes pictures that have no emoji any more. Holds the lock: another change could store one of the same name. */
  private async clear(pack: string, former: Files, files: Files): Promise<void> {
    const left = new Set(files.values());
    const gone = [...former.values()].filter((file) => !left.has(file));
    if (gone.length === 0) return;
    await this.locked(async () => {
      const manifest = await this.store.manifest(pack);
      if (!manifest) return; // an operator's file that is unreadable may name them
      const used = new Set(manifest.files.values());
      for (const file of gone) if (!used.has(file)) await this.store.remove(pack, file);
    });
  }

  /** Removes a new pack without its emoji: it would take its name from the next try. A failed commit may have succeeded. */
  private async discardUncommitted(pack: string): Promise<void> {
    try {
      await this.removeFiles(pack);
    } catch (error) {
      this.logger.warn({ err: error, pack }, 'A pack without its emoji was not removed');
    }
  }
}

const packsOf = (pack: string, { before, after, other }: FileChange): PackFiles[] => [
  { pack, before, after },
  ...(other ? [other] : []),
];

/** The files of a pack as they were, but for what was not changed yet, or again since. */
function undone(files: Files, before: Files, after: Files): Map<string, string> {
  const names = new Set([...files.keys(), ...before.keys()]);
  return new Map(
    [...names].flatMap((name) => {
      const file = (files.get(name) === after.get(name) ? before : files).get(name);
      return file === undefined ? [] : [[name, file]];
    }),
  );
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
