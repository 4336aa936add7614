import { Injectable } from '@nestjs/common';
import { IS_ACTIVE } from '../../accounts/index.js';
import { Database, someRow, sql } from '../../platform/index.js';
import type { NamedAuthor, PageCard } from '../model/page-card.js';
import type { PreviewCardRow } from '../rendering/preview-card.render.js';
import { StatusFlag } from '../model/status.flags.js';
import { CARD_PREVIEW } from '../rendering/status-parts.sql.js';

/**
 * When another post links to a page, the page is fetched again after this time: sooner if there was nothing to show.
 */
const FAILED_MINUTES = 15;
const KNOWN_DAYS = 7;

const contentOf = sql<{ contentHtml: string }>(
  'cards.content',
  `select content_html as "contentHtml" from statuses where id = $1 and reblog_of_id is null for no key update`,
);

/** Whether the page of a card is due to be fetched. */
const IS_DUE = `fetched_at is null or fetched_at < now() - case when preview is null
     then interval '${FAILED_MINUTES} minutes' else interval '${KNOWN_DAYS} days' end`;

/**
 * The CTE `page`: the card of an address; creates a missing one. Locks it until the unit ends, so that the post does
 * not miss a fetch that finishes meanwhile. The lock is shared by all posts with the link, since only a fetch changes a
 * card. If two transactions create the card at once, the no-op update waits for the other transaction.
 */
const claimed = (url: string) => `known as materialized (
     select id, revision, preview, fetched_at from cards where url = ${url}::text for share),
   made as (
     insert into cards (url) select ${url}::text where not exists (select from known)
     on conflict (url) do update set url = excluded.url returning id, revision, preview, fetched_at),
   page as (select * from known union all select * from made)`;

const claim = sql<{ id: string; isDue: boolean }>(
  'cards.claim',
  `with ${claimed('$1')} select id, ${IS_DUE} as "isDue" from page`,
);

const PURGED_AT_ONCE = 1_000;
const IS_UNUSED = `not exists (select from status_cards k where k.card_id = c.id)`;

// Passes over cards that another transaction has locked, to attach them to a post. Index: cards_pkey, then status_cards_card
// for each.
const lockUnused = sql<{ last: string | null; ids: string[] }>(
  'cards.lock_unused',
  `with next as materialized (select id from cards where id > $1::bigint order by id limit ${PURGED_AT_ONCE}),
   unused as materialized (
     select c.id from cards c join next on next.id = c.id
     where coalesce(c.fetched_at, c.created_at) < now() - interval '1 day' and ${IS_UNUSED}
     for update of c skip locked)
   select case when count(*) = ${PURGED_AT_ONCE} then max(id) end as last, array(select id::text from unused) as ids from next`,
);

// A post may have got the card before the lock, and after the statement that locked it began.
const removeUnused = sql('cards.remove_unused', `delete from cards c where c.id = any($1::bigint[]) and ${IS_UNUSED}`);

const attach = sql(
  'cards.attach',
  `insert into status_cards as k (status_id, card_id, revision) select $1, id, revision from cards where id = $2
   on conflict (status_id) do update set card_id = excluded.card_id, revision = excluded.revision
   where k.card_id <> excluded.card_id`,
);

// Does not raise the version of the post: the post is not committed, so no one has seen it.
const attachNew = sql<{ id: string; isDue: boolean }>(
  'cards.attach_new',
  `with ${claimed('$2')},
   attached as (insert into status_cards (status_id, card_id, revision) select $1, id, revision from page),
   shown as (
     update statuses s set flags = s.flags | ${StatusFlag.card} from page where s.id = $1 and page.preview is not null)
   select id, ${IS_DUE} as "isDue" from page`,
);

const detach = sql('cards.detach', `delete from status_cards where status_id = $1`);

const HAS_PREVIEW = `exists(
  select from status_cards k join cards c on c.id = k.card_id where k.status_id = s.id and c.preview is not null)`;
const SHOW = `update statuses s set version = s.version + 1,
  flags = (s.flags & ~${StatusFlag.card}::int) | case when ${HAS_PREVIEW} then ${StatusFlag.card} else 0 end`;

/** A post whose card changed and that is recent enough to be streamed again. */
export interface FreshRow {
  readonly id: string;
  readonly authorId: string;
  readonly visibility: number;
}

const IS_FRESH = `greatest(s.created_at, s.edited_at) > now() - interval '1 hour'`;

const show = sql<FreshRow & { isFresh: boolean }>(
  'cards.show',
  `${SHOW} where s.id = $1 and (s.flags & ${StatusFlag.card} <> 0 or ${HAS_PREVIEW})
   returning s.id, s.author_id as "authorId", s.visibility, ${IS_FRESH} as "isFresh"`,
);

/** Number of posts, or of cards, that one statement updates. */
const BATCH = 200;

// Locks posts in the order of their ids, so that two cards of the same posts cannot deadlock. Changes only posts that
// show something else. Returns the last id of a full batch, after which there may be more posts. Index:
// status_cards_card.
const showEverywhere = sql<{ last: string | null; fresh: FreshRow[] }>(
  'cards.show_everywhere',
  `with next as materialized (
     select status_id from status_cards where card_id = $1 and status_id > $2 order by status_id limit ${BATCH}),
   locked as materialized (
     select id from statuses where id in (select status_id from next) order by id for no key update),
   changed as (
     update status_cards k set revision = c.revision from cards c, locked
     where c.id = $1 and k.card_id = c.id and k.status_id = locked.id and k.revision < c.revision returning k.status_id),
   shown as (
     ${SHOW} from locked where s.id = locked.id
       and (s.id in (select status_id from changed) or (s.flags & ${StatusFlag.card} <> 0) <> ${HAS_PREVIEW})
     returning s.id, s.author_id as "authorId", s.visibility, ${IS_FRESH} as is_fresh)
   select case when count(*) = ${BATCH} then max(status_id) end as last,
     (select coalesce(json_agg(shown order by id) filter (where is_fresh), '[]') from shown) as fresh
   from next`,
);

const page = sql<{ url: string; isDue: boolean }>(
  'cards.page',
  `select url, ${IS_DUE} as "isDue" from cards where id = $1`,
);

/** What cards show of an account that a page of a host names: it is active, and names this host or one above it in turn. */
const authorOf = (accountId: string, host: string) =>
  `select jsonb_build_object(
     'author_name', coalesce(nullif(a.display_name, ''), a.nickname), 'author_url', coalesce(a.url, a.ap_id)) as shown
   from accounts a left join users u on u.account_id = a.id
   where a.id = ${accountId} and ${IS_ACTIVE}
     and ${someRow(`unnest(a.attribution_domains) d where right('.' || ${host}, length(d) + 1) = '.' || d`)}`;

const lockAuthor = sql('cards.lock_author', `select from accounts where id = $1 for share`);

// Keeps the preview when the page can no longer be fetched.
const save = sql<{ isThere: boolean }>(
  'cards.save',
  `with read as materialized (select $2::jsonb as preview, (${authorOf('$3::text', '$4::text')}) as author)
   update cards c set fetched_at = now(), preview = coalesce(read.preview, c.preview),
     author_id = case when read.preview is null then c.author_id else $3 end,
     author_host = case when read.preview is null then c.author_host else $4 end,
     author = case when read.preview is null then c.author else read.author end,
     revision = c.revision
       + case when read.preview is not null and (read.preview, read.author) is distinct from (c.preview, c.author) then 1 else 0 end
   from read where c.id = $1 returning c.preview is not null as "isThere"`,
);

// Index: cards_author.
const nameAuthor = sql<{ last: string | null; ids: string[] }>(
  'cards.name_author',
  `with next as materialized (
     select id from cards where author_id = $1 and id > $2::bigint order by id limit ${BATCH} for no key update),
   changed as (
     update cards c set author = (${authorOf('c.author_id', 'c.author_host')}), revision = c.revision + 1 from next
     where c.id = next.id and c.author is distinct from (${authorOf('c.author_id', 'c.author_host')}) returning c.id)
   select case when count(*) = ${BATCH} then max(id) end as last, array(select id::text from changed order by id) as ids from next`,
);

// Index: the primary keys.
const ofStatus = sql<PreviewCardRow>(
  'cards.of_status',
  `select c.url, ${CARD_PREVIEW} as preview from status_cards k join cards c on c.id = k.card_id
   where k.status_id = $1 and c.preview is not null`,
);

interface Claimed {
  readonly id: string;
  /** Whether the page must be fetched. */
  readonly isDue: boolean;
}

/** All SQL on `cards` and `status_cards`. */
@Injectable()
export class PreviewCardRepository {
  constructor(private readonly db: Database) {}

  /** Locks a post and returns its content; undefined for a deleted post and for a boost. */
  async content(statusId: string): Promise<string | undefined> {
    return (await this.db.first(contentOf, [statusId]))?.contentHtml;
  }

  /** Returns the card of an address; creates a missing one. Locked until the unit of work ends. */
  async claim(address: string): Promise<Claimed> {
    return claimOf(await this.db.first(claim, [address]));
  }

  /** Like {@link claim}; also attaches the card to a new post. Runs in the post's unit of work, after its insert. */
  async attachNew(statusId: string, address: string): Promise<Claimed> {
    return claimOf(await this.db.first(attachNew, [statusId, address]));
  }

  /** Returns false when the post already has this card. */
  async attach(statusId: string, cardId: string): Promise<boolean> {
    return (await this.db.run(attach, [statusId, cardId])) === 1;
  }

  /** Returns false when the post has no card. */
  async detach(statusId: string): Promise<boolean> {
    return (await this.db.run(detach, [statusId])) === 1;
  }

  /** Makes a post show its current card, or none; returns the post if that changes a recent post. */
  async show(statusId: string): Promise<FreshRow[]> {
    return (await this.db.rows(show, [statusId])).filter((row) => row.isFresh);
  }

  /**
   * Makes the next posts after an id show the current content of a card. Returns the last id (undefined at the end) and
   * the recent posts among those that changed.
   */
  async showEverywhere(
    cardId: string,
    after: string,
  ): Promise<{ last: string | undefined; fresh: readonly FreshRow[] }> {
    const row = await this.db.first(showEverywhere, [cardId, after]);
    return { last: row?.last ?? undefined, fresh: row?.fresh ?? [] };
  }

  /** The page of a card; `isDue` when it must be fetched. */
  async page(cardId: string): Promise<{ url: string; isDue: boolean } | undefined> {
    const row = await this.db.first(page, [cardId]);
    return row && { url: row.url, isDue: row.isDue };
  }

  /**
   * Has changes of an account wait until the unit ends, so that their events find a card that is saved meanwhile. In a statement of
   * its own: the next one reads the account as it is after the wait.
   */
  async lockAuthor(accountId: string): Promise<void> {
    await this.db.run(lockAuthor, [accountId]);
  }

  /**
   * Saves the result of a fetch, with the account that the page names; null keeps the earlier preview. Returns whether the card has
   * a preview.
   */
  async save(cardId: string, preview: PageCard | null, author?: NamedAuthor): Promise<boolean> {
    const values = [cardId, preview && JSON.stringify(preview), author?.accountId ?? null, author?.host ?? null];
    return (await this.db.first(save, values))?.isThere ?? false;
  }

  /**
   * Makes the next cards after an id show an account that their pages name as it is now. Returns those that changed, and the last
   * id; undefined at the end.
   */
  async nameAuthor(accountId: string, after: string): Promise<{ last: string | undefined; ids: readonly string[] }> {
    const row = await this.db.first(nameAuthor, [accountId, after]);
    return { last: row?.last ?? undefined, ids: row?.ids ?? [] };
  }

  /** The card that a post shows, if any. */
  ofStatus(statusId: string): Promise<PreviewCardRow | undefined> {
    return this.db.first(ofStatus, [statusId]);
  }

  /**
   * Locks those of the next cards after an id that no post shows and that were not fetched for a day, until the unit ends.
   * Returns them, and the last id that was read; undefined at the end.
   */
  async lockUnused(after: string): Promise<{ last: string | undefined; ids: readonly string[] }> {
    const row = await this.db.first(lockUnused, [after]);
    return { last: row?.last ?? undefined, ids: row?.ids ?? [] };
  }

  /** Deletes those of some cards that no post shows, now that they are locked. */
  async removeUnused(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.db.run(removeUnused, [ids]);
  }
}

function claimOf(row: { id: string; isDue: boolean } | undefined): Claimed {
  if (!row) throw new Error('A card was neither made nor found');
  return { id: row.id, isDue: row.isDue };
}
