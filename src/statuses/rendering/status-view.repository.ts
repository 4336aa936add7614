import { Injectable } from '@nestjs/common';
import { attachmentsOf } from '../../media/index.js';
import { columns, Database, fragment, someRow, sql } from '../../platform/index.js';
import { cardOf } from './status-parts.sql.js';
import { hiddenAccounts, isNotHidden, PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import { viewerStateBranches, ViewerStateKind } from './viewer-state.sql.js';
import { StatusFlag } from '../model/status.flags.js';
import type { BodyRow, MentionedAccount } from './body-row.js';
import { isDeactivated, maySee } from '../model/visibility.js';
import { MAX_EMOJI } from '../model/reaction.entity.js';
import { LAST_PICTURE, reactionScale, sampledReactions } from '../model/reaction.sql.js';
import { Status } from '../model/status.entities.js';

/**
 * One piece of viewer state about a status, a thread or an author, whose id is `id`. For {@link ViewerStateKind.plain}
 * the id is empty.
 */
export interface ViewerRow {
  readonly kind: number;
  readonly id: string;
  /** The time of an expiry, or of the end of a poll. */
  readonly at: string | null;
  /**
   * For a conversation: the viewer's own id of it. For filters: their version. For a list: its id. For a poll: its
   * other fields. For a bookmark: its folder, or null. For reactions: the count of each emoji.
   */
  readonly detail: unknown;
}

/** What to look up for a viewer. */
export interface ViewerStateQuery {
  readonly viewerId: string;
  readonly statusIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly authorIds: readonly string[];
  /** Those of `statusIds` that have reactions, with the number of these. */
  readonly reacted: readonly Pick<PageRow, 'id' | 'reactions'>[];
  /** Whether to count reactions of accounts that the viewer muted. */
  readonly withMuted: boolean;
  /** Those of `statusIds` that the viewer wrote. */
  readonly ownIds: readonly string[];
  /** Those of `statusIds` that may be direct posts. */
  readonly directIds: readonly string[];
  /** Those of `statusIds` that have a poll. */
  readonly pollIds: readonly string[];
}

/**
 * The reactions to one status as JSON, in the order of first use, up to {@link MAX_EMOJI}. `rows` is an alias of rows grouped by status and
 * emoji, of which those with a count are shown.
 */
export function emojiColumns(rows: string): string {
  const { name, count, me, url, first } = {
    name: `${rows}.name`,
    count: `${rows}.count`,
    me: `${rows}.me`,
    url: `${rows}.url`,
    first: `${rows}.first`,
  };
  const reaction = `json_build_object('name', ${name}, 'count', ${count}, 'me', ${me}, 'url', ${url})`;
  const shown = `array_agg(${reaction} order by ${first}) filter (where ${count} > 0)`;
  return `coalesce(array_to_json((${shown})[1:${MAX_EMOJI}]), '[]')`;
}

const byIds = sql<PageRow>(
  'statuses.page_by_ids',
  selectPage(
    '$1',
    `select entry.id as feed_id, entry.author_id as entry_author_id, ${PAGE_KEYS}
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
     where entry.id = any($2::text[]) and ${maySee('entry')} and (entry.reblog_of_id is null or ${maySee('post')})`,
  ),
);

// One statement, so that a body and its parts come from one snapshot and can be cached under their version.
const bodies = sql<BodyRow>(
  'statuses.bodies',
  `select ${columns(Status, 'post', ['id', 'uri', 'url', 'version', 'visibility', 'inReplyToAccountId'])},
     r.nickname as "replyNickname",
     r.domain as "replyDomain", post.conversation_id as "conversationId", c.uri as context,
       ${columns(Status, 'post', ['quoteUri', 'quoteRefused', 'contentHtml', 'contentText', 'spoiler', 'sensitive', 'language', 'local', 'emojis', 'application', 'createdAt', 'editedAt'])},
     case when post.quote_of_id is null and post.quote_uri is not null
       then ${someRow('tombstones t where t.uri = post.quote_uri')} else false end as "isQuoteDeleted",
     (select pin.created_at from pins pin where pin.status_id = post.id) as "pinnedAt",
     case when post.flags & ${StatusFlag.mentions} <> 0 then (
       select json_agg(json_build_object(
         'id', a.id, 'nickname', a.nickname, 'domain', a.domain, 'url', a.url, 'apId', a.ap_id) order by m.position)
       from mentions m join accounts a on a.id = m.account_id where m.status_id = post.id and not m.silent) end as mentions,
     case when post.flags & ${StatusFlag.tags} <> 0 then (
       select json_agg(h.name order by h.name collate "C")
       from status_hashtags s join hashtags h on h.id = s.hashtag_id where s.status_id = post.id) end as tags,
     case when post.flags & ${StatusFlag.media} <> 0 then ${attachmentsOf('post.id')} end as attachments,
     case when post.flags & ${StatusFlag.card} <> 0 then ${cardOf('post.id')} end as card,
     case when post.flags & ${StatusFlag.poll} <> 0 then (
       select array_agg(x.title order by x.position) from polls p join poll_options x on x.poll_id = p.id
       where p.status_id = post.id) end as "pollOptions"
   from statuses post
     left join conversations c on c.id = post.conversation_id
     left join accounts r on r.id = post.in_reply_to_account_id
   where post.id = any($1::text[])`,
);

const mentioned = sql<MentionedAccount>(
  'statuses.mentioned',
  `select id, nickname, domain, url, ap_id as "apId" from accounts where id = any($1::text[])`,
);

const filtering = sql<{ accountId: string; version: number }>(
  'statuses.filtering_readers',
  `select u.account_id as "accountId", u.filters_version as version from users u join statuses s on s.id = $2
   where u.account_id = any($1::text[]) and u.filters_version > 0 and u.account_id <> s.author_id`,
);

const filterable = sql<{ id: string; version: number }>(
  'statuses.filterable',
  `select s.id, u.filters_version as version from users u join statuses s on s.id = any($2::text[])
   where u.account_id = $1 and u.filters_version > 0 and s.author_id <> u.account_id`,
);

const viewer = sql<ViewerRow>(
  'statuses.viewer',
  fragment`${viewerStateBranches('$1', {
    statuses: '$2::text[]',
    threads: '$3::bigint[]',
    authors: '$4::text[]',
    own: '$5::text[]',
    direct: '$6::text[]',
    polls: '$7::text[]',
  })}
   union all select ${ViewerStateKind.reactions}, e.status_id, null, ${emojiColumns('e')} from (
     select r.status_id, r.name, round(count(*) * ${reactionScale('post.reactions')})::int as count, bool_or(r.account_id = $1) as me, ${LAST_PICTURE} as url,
       min(r.id) as first
     from unnest($8::text[], $9::int[]) as post(id, reactions) cross join lateral ${sampledReactions('post.id', '$1')} r
     where ${isNotHidden('r.account_id', hiddenAccounts('$1', '$10'))} and not ${isDeactivated('r.account_id')}
     group by r.status_id, r.name, post.reactions) e
   group by e.status_id`,
);

/** The statements of the status view. */
@Injectable()
export class StatusViewRepository {
  constructor(private readonly db: Database) {}

  /** Page rows of the statuses that the viewer may see, unordered. `viewerId` is `''` for anonymous callers. */
  pageByIds(ids: readonly string[], viewerId: string): Promise<PageRow[]> {
    return this.db.rows(byIds, [viewerId, ids]);
  }

  bodies(ids: readonly string[]): Promise<BodyRow[]> {
    return this.db.rows(bodies, [ids]);
  }

  mentioned(accountIds: readonly string[]): Promise<MentionedAccount[]> {
    return this.db.rows(mentioned, [accountIds]);
  }

  /** The readers who have filters, without the author of the post. */
  filtering(readerIds: readonly string[], statusId: string): Promise<{ accountId: string; version: number }[]> {
    return this.db.rows(filtering, [readerIds, statusId]);
  }

  /** The posts of others among the ids, with the version of the reader's filters; none for a reader without filters. */
  filterable(readerId: string, statusIds: readonly string[]): Promise<{ id: string; version: number }[]> {
    return this.db.rows(filterable, [readerId, statusIds]);
  }

  viewer(query: ViewerStateQuery): Promise<ViewerRow[]> {
    const { viewerId, statusIds, conversationIds, authorIds, ownIds, directIds, pollIds, reacted } = query;
    const lists = [statusIds, conversationIds, authorIds, ownIds, directIds, pollIds, reacted.map(({ id }) => id)];
    const counts = reacted.map(({ reactions }) => reactions);
    return this.db.rows(viewer, [viewerId, ...lists, counts, query.withMuted]);
  }
}
