import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import { columns, Database, type RowOf, UnitOfWork, sql } from '../../platform/index.js';
import { CustomEmoji } from './custom-emoji.entity.js';

const STORED = [
  'shortcode',
  'pack',
  'file',
  'category',
  'tags',
  'visibleInPicker',
  'disabled',
  'updatedAt',
] as const satisfies readonly (keyof CustomEmoji)[];

/** A custom emoji as it is stored. */
export type CustomEmojiRow = RowOf<CustomEmoji, (typeof STORED)[number]>;

/** Changes of an emoji's description; undefined fields stay. */
export interface EmojiChanges {
  /** Null for the pack's own category. */
  readonly category?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly visibleInPicker?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

const all = sql<CustomEmojiRow>(
  'emoji.all',
  `select ${columns(CustomEmoji, 'custom_emojis', STORED)} from custom_emojis order by shortcode`,
);

const lock = sql('emoji.lock_packs', `select pg_advisory_xact_lock(hashtextextended('emoji packs', 0))`);

const transaction = sql<{ id: string }>('emoji.transaction', `select pg_current_xact_id()::text as id`);

const isCommitted = sql<{ committed: boolean | null }>(
  'emoji.is_committed',
  `select pg_xact_status($1::xid8) = 'committed' as committed`,
);

const insert = sql<{ shortcode: string }>(
  'emoji.insert',
  `insert into custom_emojis (shortcode, pack, file)
   select shortcode, $1, file from unnest($2::text[], $3::text[]) as e(shortcode, file) order by shortcode collate "C"
   on conflict do nothing returning shortcode`,
);

const refile = sql(
  'emoji.refile',
  `update custom_emojis c set pack = $1, file = e.file, updated_at = now()
   from unnest($2::text[], $3::text[]) as e(shortcode, file)
   where c.shortcode = e.shortcode and (c.pack = $1 and c.file <> e.file or c.shortcode = any($4::text[]))`,
);

const describe = sql(
  'emoji.describe',
  `update custom_emojis set category = case when $2::boolean then $3 else category end, tags = coalesce($4::text[], tags),
     visible_in_picker = coalesce($5::boolean, visible_in_picker), disabled = coalesce($6::boolean, disabled),
     updated_at = now()
   where shortcode = $1`,
);

/** All SQL on `custom_emojis`. */
@Injectable()
export class CustomEmojiRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** All emoji by name, including disabled ones. */
  all(): Promise<CustomEmojiRow[]> {
    return this.db.rows(all);
  }

  /** Locks all packs until the unit of work ends, which may store and remove files meanwhile. */
  async lock(): Promise<void> {
    await this.db.allowLongRests();
    await this.db.run(lock);
  }

  /** The id of the open unit of work, for {@link isCommitted}. */
  async transaction(): Promise<string | undefined> {
    return (await this.db.first(transaction))?.id;
  }

  /** Whether a unit of work that has ended was committed. */
  async isCommitted(id: string | undefined): Promise<boolean> {
    return (await this.db.first(isCommitted, [id]))?.committed ?? false;
  }

  /** Whether a pack has emoji. */
  hasEmoji(pack: string): Promise<boolean> {
    return this.uow.manager.existsBy(CustomEmoji, { pack });
  }

  /** The pack of the emoji with that name. */
  async packOf(shortcode: string): Promise<string | undefined> {
    const found = await this.uow.manager.findOne(CustomEmoji, { select: { pack: true }, where: { shortcode } });
    return found?.pack;
  }

  /** Adds emoji of a pack, except those with taken names. Returns the added names. */
  async insert(pack: string, files: ReadonlyMap<string, string>): Promise<string[]> {
    const rows = await this.db.rows(insert, [pack, [...files.keys()], [...files.values()]]);
    return rows.map(({ shortcode }) => shortcode);
  }

  /** Gives an emoji of a pack another name and file; false when the pack's emoji has no row. */
  async rename(pack: string, shortcode: string, newShortcode: string, file: string): Promise<boolean> {
    const changes = { shortcode: newShortcode, file, updatedAt: () => 'now()' };
    return (await this.uow.manager.update(CustomEmoji, { pack, shortcode }, changes)).affected === 1;
  }

  /** Removes an emoji of a pack. */
  async remove(pack: string, shortcode: string): Promise<void> {
    await this.uow.manager.delete(CustomEmoji, { pack, shortcode });
  }

  /** Removes all emoji of a pack. Index: custom_emojis_pack. */
  async removePack(pack: string): Promise<void> {
    await this.uow.manager.delete(CustomEmoji, { pack });
  }

  /** Removes the emoji of these names. */
  async removeAll(shortcodes: readonly string[]): Promise<void> {
    await this.uow.manager.delete(CustomEmoji, { shortcode: Any(shortcodes) });
  }

  /** Updates the file names of a pack's emoji, and gives it those of other packs; returns how many changed. */
  refile(pack: string, files: ReadonlyMap<string, string>, given: readonly string[]): Promise<number> {
    return this.db.run(refile, [pack, [...files.keys()], [...files.values()], given]);
  }

  /** Changes the description of an emoji; false when there is none. */
  async describe(shortcode: string, { category, tags, visibleInPicker, disabled }: EmojiChanges): Promise<boolean> {
    return (
      (await this.db.run(describe, [shortcode, category !== undefined, category, tags, visibleInPicker, disabled])) > 0
    );
  }
}
