import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { PageCard } from '../model/page-card.js';
import type { PreviewCardRow } from '../rendering/preview-card.render.js';
import { StatusFlag } from '../model/status.flags.js';

/** Pages with nothing to show are asked again after this, when another post links to them. */
const FAILED_MINUTES = 15;
const KNOWN_DAYS = 7;

const contentOf = sql<{ content_html: string }>(
  'cards.content',
  `select content_html from statuses where id = $1 and reblog_of_id is null for no key update`,
);

/** When the page of a card is to be asked. */
const IS_DUE = `fetched_at is null or fetched_at < now() - case when preview is null
     then interval '${FAILED_MINUTES} minutes' else interval '${KNOWN_DAYS} days' end`;

/**
 * The CTE `page`: the card of an address, made when there is none. It stays locked until the unit ends, so that what is
 * fetched meanwhile is not overlooked: a lock that all posts with the link share, since only what is fetched changes a card.
 * When two make it at once, the update that changes nothing waits for the other one's.
 */
const claimed = (url: string) => `known as materialized (
     select id, revision, preview, fetched_at from cards where url = ${url}::text for share),
   made as (
     insert into cards (url) select ${url}::text where not exists (select from known)
     on conflict (url) do update set url = excluded.url returning id, revision, preview, fetched_at),
   page as (select * from known union all select * from made)`;

const claim = sql<{ id: string; is_due: boolean }>(
  'cards.claim',
  `with ${claimed('$1')} select id, ${IS_DUE} as is_due from page`,
);

const PURGED_AT_ONCE = 1_000;
// Index: cards_pkey, then status_cards_card for each.
const purge = sql<{ last: string | null }>(
  'cards.purge',
  `with next as materialized (select id from cards where id > $1::bigint order by id limit ${PURGED_AT_ONCE}),
   gone as (
     delete from cards c using next where c.id = next.id
       and coalesce(c.fetched_at, c.created_at) < now() - interval '1 day'
       and not exists (select from status_cards k where k.card_id = c.id))
   select case when count(*) = ${PURGED_AT_ONCE} then max(id) end as last from next`,
);

const attach = sql(
  'cards.attach',
  `insert into status_cards as k (status_id, card_id, revision) select $1, id, revision from cards where id = $2
   on conflict (status_id) do update set card_id = excluded.card_id, revision = excluded.revision
   where k.card_id <> excluded.card_id`,
);

// The post is not yet committed: nobody has seen the version that changes here.
const attachNew = sql<{ id: string; is_due: boolean }>(
  'cards.attach_new',
  `with ${claimed('$2')},
   attached as (insert into status_cards (status_id, card_id, revision) select $1, id, revision from page),
   shown as (
     update statuses s set flags = s.flags | ${StatusFlag.card} from page where s.id = $1 and page.preview is not null)
   select id, ${IS_DUE} as is_due from page`,
);

const detach = sql('cards.detach', `delete from status_cards where status_id = $1`);

const HAS_PREVIEW = `exists(
  select from status_cards k join cards c on c.id = k.card_id where k.status_id = s.id and c.preview is not null)`;
const SHOW = `update statuses s set version = s.version + 1,
  flags = (s.flags & ~${StatusFlag.card}::int) | case when ${HAS_PREVIEW} then ${StatusFlag.card} else 0 end`;

/** A post that shows another card than before, and that people may be looking at as it comes. */
export interface FreshRow {
  readonly id: string;
  readonly author_id: string;
  readonly visibility: number;
}

const IS_FRESH = `greatest(s.created_at, s.edited_at) > now() - interval '1 hour'`;

const show = sql<FreshRow & { is_fresh: boolean }>(
  'cards.show',
  `${SHOW} where s.id = $1 and (s.flags & ${StatusFlag.card} <> 0 or ${HAS_PREVIEW})
   returning s.id, s.author_id, s.visibility, ${IS_FRESH} as is_fresh`,
);

/** Posts that are given a card at once. */
const BATCH = 200;

// Index: status_cards_card. In the order of their ids, so that two cards of the same posts do not wait for each other. Only
// posts that show something else are changed. Answers the last of a whole batch, behind which there may be more.
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
     returning s.id, s.author_id, s.visibility, ${IS_FRESH} as is_fresh)
   select case when count(*) = ${BATCH} then max(status_id) end as last,
     (select coalesce(json_agg(shown order by id) filter (where is_fresh), '[]') from shown) as fresh
   from next`,
);

const page = sql<{ url: string; is_due: boolean }>(
  'cards.page',
  `select url, ${IS_DUE} as is_due from cards where id = $1`,
);

// What was known of a page stays when it cannot be read any more.
const save = sql<{ is_there: boolean }>(
  'cards.save',
  `update cards set fetched_at = now(), preview = coalesce($2::jsonb, preview),
     revision = revision + case when coalesce($2::jsonb, preview) is distinct from preview then 1 else 0 end
   where id = $1 returning preview is not null as is_there`,
);

// Index: the primary keys.
const ofStatus = sql<PreviewCardRow>(
  'cards.of_status',
  `select c.url, c.preview from status_cards k join cards c on c.id = k.card_id
   where k.status_id = $1 and c.preview is not null`,
);

interface Claimed {
  readonly id: string;
  /** Its page is to be asked. */
  readonly isDue: boolean;
}

/** All SQL on `cards` and `status_cards`. */
@Injectable()
export class PreviewCardRepository {
  constructor(private readonly db: Database) {}

  /** Locks a post and answers what it says; undefined when it is gone, and for a boost. */
  async content(statusId: string): Promise<string | undefined> {
    return (await this.db.first(contentOf, [statusId]))?.content_html;
  }

  /** The card of an address, made when there is none, and kept as it is until the unit ends; `isDue` when its page is to be asked. */
  async claim(address: string): Promise<Claimed> {
    return claimOf(await this.db.first(claim, [address]));
  }

  /** Gives a post the card of an address and shows what is known of it; after the post, in its unit. Else as {@link claim}. */
  async attachNew(statusId: string, address: string): Promise<Claimed> {
    return claimOf(await this.db.first(attachNew, [statusId, address]));
  }

  /** False when the post has this card. */
  async attach(statusId: string, cardId: string): Promise<boolean> {
    return (await this.db.run(attach, [statusId, cardId])) === 1;
  }

  /** False when the post has no card. */
  async detach(statusId: string): Promise<boolean> {
    return (await this.db.run(detach, [statusId])) === 1;
  }

  /** Lets a post show the card it has now, or none; answers it when that is something new in a fresh post. */
  async show(statusId: string): Promise<FreshRow[]> {
    return (await this.db.rows(show, [statusId])).filter((row) => row.is_fresh);
  }

  /**
   * Lets the next posts after an id show what a card says now. Answers the last id, undefined when these were all, and the
   * fresh posts among those that changed.
   */
  async showEverywhere(
    cardId: string,
    after: string,
  ): Promise<{ last: string | undefined; fresh: readonly FreshRow[] }> {
    const row = await this.db.first(showEverywhere, [cardId, after]);
    return { last: row?.last ?? undefined, fresh: row?.fresh ?? [] };
  }

  /** The page of a card; `isDue` when it is to be asked. */
  async page(cardId: string): Promise<{ url: string; isDue: boolean } | undefined> {
    const row = await this.db.first(page, [cardId]);
    return row && { url: row.url, isDue: row.is_due };
  }

  /** Notes that the page was asked; what was known of it stays when there is nothing new. False when nothing is known. */
  async save(cardId: string, preview: PageCard | null): Promise<boolean> {
    return (await this.db.first(save, [cardId, preview && JSON.stringify(preview)]))?.is_there ?? false;
  }

  /** What a post shows of a page, if it does. */
  ofStatus(statusId: string): Promise<PreviewCardRow | undefined> {
    return this.db.first(ofStatus, [statusId]);
  }

  /**
   * Forgets those of the next pages after an id that no post has shown for a day. Answers the last id; undefined when these
   * were all.
   */
  async purge(after: string): Promise<string | undefined> {
    return (await this.db.first(purge, [after]))?.last ?? undefined;
  }
}

function claimOf(row: { id: string; is_due: boolean } | undefined): Claimed {
  if (!row) throw new Error('A card was neither made nor found');
  return { id: row.id, isDue: row.is_due };
}
