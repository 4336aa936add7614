import { Injectable } from '@nestjs/common';
import { columnNames, Database, givenRows, sql } from '../../platform/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { blocks } from '../../accounts/index.js';
import { storedSource } from '../model/source.js';
import { Status } from '../model/status.entities.js';
import type { PageRow } from '../model/page.sql.js';

/** The row of a new post. */
export interface NewStatus {
  readonly id: string;
  readonly authorId: string;
  readonly uri: string;
  /** The URL of a remote post's page. */
  readonly url: string | null;
  readonly visibility: number;
  readonly inReplyToId: string | null;
  readonly inReplyToAccountId: string | null;
  /** The URI of a parent of another server, which may be stored later, or again. */
  readonly inReplyToUri: string | null;
  /** The group that it names as its audience; null means that of the parent, else an addressed one. */
  readonly groupId: string | null;
  readonly quoteOfId: string | null;
  /** The URI of the quoted post. */
  readonly quoteUri: string | null;
  /** The author's choice of who may quote it; null where there is none. */
  readonly quotePolicy: number | null;
  /** The id of the quoted author's consent. */
  readonly quoteApproval: string | null;
  /** Whether the quoted author refuses the quote. */
  readonly quoteRefused: boolean;
  /** The list that it is for. */
  readonly listId: string | null;
  /** The conversation of the parent; null means the conversation with `contextUri`, which may be new. */
  readonly conversationId: string | null;
  readonly contextUri: string;
  readonly contentHtml: string;
  readonly contentText: string;
  readonly source: string | null;
  readonly contentType: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly local: boolean;
  /** The emoji that came with a remote post. */
  readonly emojis: readonly StoredEmoji[];
  readonly application: { readonly name: string; readonly website: string | null } | null;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  /** When its server last changed a remote post, as the server states that. */
  readonly describedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly flags: number;
}

/** A post that was not stored before. */
interface InsertedRow {
  readonly id: string;
  readonly conversationId: string;
}

/** The row of a new boost. */
export interface NewReblog {
  readonly id: string;
  readonly authorId: string;
  readonly uri: string;
  readonly visibility: number;
  readonly reblogOfId: string;
  readonly flags: number;
  readonly local: boolean;
  readonly createdAt: Date;
}

/** The columns that are stored as they are given. */
const GIVEN = [
  'id',
  'authorId',
  'uri',
  'url',
  'visibility',
  'inReplyToId',
  'inReplyToAccountId',
  'inReplyToUri',
  'quoteOfId',
  'quoteUri',
  'quotePolicy',
  'quoteApproval',
  'quoteRefused',
  'listId',
  'contentHtml',
  'contentText',
  'source',
  'contentType',
  'spoiler',
  'sensitive',
  'language',
  'local',
  'emojis',
  'application',
  'createdAt',
  'editedAt',
  'describedAt',
  'expiresAt',
  'flags',
] as const satisfies readonly (keyof Status & keyof NewStatus)[];

const given = givenRows(Status, [...GIVEN, 'conversationId', 'groupId'], { contextUri: 'text' });

// Several posts at once. Ordered by URI: two units that store the same posts would wait for each other crosswise.
const insertStatuses = sql<InsertedRow>(
  'statuses.insert',
  `with given as materialized (select * from ${given.table}),
   opened as (
     insert into conversations (uri) select distinct context_uri from given where conversation_id is null order by 1
     on conflict (uri) do update set uri = excluded.uri returning id, uri),
   created as (
     insert into statuses (${columnNames(Status, [...GIVEN, 'conversationId', 'groupId'])})
     select ${columnNames(Status, GIVEN, 'g')}, coalesce(g.conversation_id, o.id),
       coalesce(g.group_id, (select parent.group_id from statuses parent where parent.id = g.in_reply_to_id))
     from given g left join opened o on o.uri = g.context_uri order by g.uri
     on conflict (uri) do nothing returning id, conversation_id),
   counted as (insert into status_stats (status_id) select id from created)
   select id, conversation_id as "conversationId" from created`,
);

// Accounts that block the author are not addressed: the mention neither notifies them nor gives them access. A post that
// begins a thread may stand in that of a group that it addresses. Returns the addressed groups of this server.
const insertMentions = sql<{ id: string }>(
  'statuses.insert_mentions',
  `with grouped as (
     update statuses s set group_id = a.id from accounts a
     where s.id = $1 and s.group_id is null and a.id = any($3::text[] || $4::text[]) and a.actor_type = 'Group'),
   inserted as (
     insert into mentions (status_id, account_id, position, silent)
     select $1, m.account_id, m.position, m.position > cardinality($3::text[])
     from unnest($3::text[] || $4::text[]) with ordinality as m(account_id, position)
     where not ${blocks('m.account_id', '$2')})
   select a.id from accounts a where a.id = any($3::text[] || $4::text[]) and a.actor_type = 'Group' and a.domain is null`,
);

// Addresses the members at this time: later changes of the list do not affect the post.
const insertListed = sql(
  'statuses.insert_listed',
  `insert into mentions (status_id, account_id, position, silent)
   select $1, m.account_id, 0, true from list_members m join lists l on l.id = m.list_id
   where l.id = $3::bigint and l.account_id = $2 and m.account_id <> $2 and not ${blocks('m.account_id', '$2')}
   on conflict do nothing`,
);

// Ordered by name, so that two posts with the same new tags cannot deadlock. Misses tags that another transaction
// creates or removes at the same time. Locks existing tags, so that they are not removed.
const tag = sql(
  'statuses.tag',
  `with made as (
     insert into hashtags (name) select name from unnest($2::text[]) as t(name) order by name collate "C" on conflict do nothing
     returning id),
   known as materialized (select id from hashtags where name = any($2::text[]) order by name collate "C" for key share)
   insert into status_hashtags (status_id, hashtag_id)
   select $1, id from (select id from known union all select id from made) as t`,
);

// Ordered by name, as above.
const insertTags = sql(
  'statuses.insert_tags',
  `insert into hashtags (name) select name from unnest($1::text[]) as t(name) order by name collate "C" on conflict do nothing`,
);

// As above. A statement of its own, so that it sees the tags created meanwhile.
const linkTags = sql<{ found: number }>(
  'statuses.link_tags',
  `with tags as materialized (select id from hashtags where name = any($2::text[]) order by name collate "C" for key share),
   linked as (insert into status_hashtags (status_id, hashtag_id) select $1, id from tags on conflict do nothing)
   select count(*)::int as found from tags`,
);

const insertReblog = sql(
  'statuses.insert_boost',
  `insert into statuses (id, author_id, uri, visibility, reblog_of_id, flags, local, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict do nothing`,
);

/** Writes posts and boosts. No statement needs the result of another: send them together, in this order. */
@Injectable()
export class ComposeRepository {
  private readonly arrivals;

  constructor(private readonly db: Database) {
    this.arrivals = db.batches<NewStatus, string | undefined>((statuses) => this.insertAll(statuses));
  }

  /**
   * Writes the post with its counters and its conversation, whose id it returns; undefined when a post with this URI
   * exists. Remote posts of one unit of work share a statement, which leaves a moment later than those that are sent with
   * it.
   */
  async insert(status: NewStatus): Promise<string | undefined> {
    return status.local ? (await this.insertAll([status]))[0] : this.arrivals.add(status);
  }

  /** Addresses accounts, the mentioned ones before the silent ones. Returns the groups of this server among them. */
  async insertMentions(
    statusId: string,
    authorId: string,
    named: readonly string[],
    silent: readonly string[],
  ): Promise<string[]> {
    return (await this.db.rows(insertMentions, [statusId, authorId, named, silent])).map(({ id }) => id);
  }

  /** Addresses the members of one of the author's lists silently; after {@link insertMentions}. */
  async insertListed(statusId: string, authorId: string, listId: string): Promise<void> {
    await this.db.run(insertListed, [statusId, authorId, listId]);
  }

  /** Tags a new post; creates missing tags. */
  async insertTags(statusId: string, names: readonly string[]): Promise<void> {
    const linked = await this.db.run(tag, [statusId, names]);
    if (linked < names.length) await this.addTags(statusId, names);
  }

  /** Like {@link insertTags}, for a post that may have some of the tags already. */
  async addTags(statusId: string, names: readonly string[]): Promise<void> {
    const [, linked] = await Promise.all([
      this.db.run(insertTags, [names]),
      this.db.first(linkTags, [statusId, names]),
    ]);
    if ((linked?.found ?? 0) < names.length) await this.addTags(statusId, names);
  }

  /** Returns false when the author has already boosted the post. */
  async insertReblog(reblog: NewReblog): Promise<boolean> {
    const { id, authorId, uri, visibility, reblogOfId, flags, local, createdAt } = reblog;
    const values = [id, authorId, uri, visibility, reblogOfId, flags, local, createdAt];
    return (await this.db.run(insertReblog, values)) === 1;
  }

  private async insertAll(statuses: readonly NewStatus[]): Promise<(string | undefined)[]> {
    const stored = statuses.map((status) => ({ ...status, source: storedSource(status) }));
    const rows = await this.db.rows(insertStatuses, given.values(stored));
    const conversations = new Map(rows.map((row) => [row.id, row.conversationId]));
    return statuses.map(({ id }) => conversations.get(id));
  }
}

/** The page row of a new post, as its author sees it. */
export function pageRowOf({ id, authorId, ...status }: NewStatus): PageRow {
  return {
    feedId: id,
    entryAuthorId: authorId,
    id,
    authorId,
    version: 1,
    flags: status.flags,
    conversationId: status.conversationId,
    quoteOfId: status.quoteOfId,
    local: status.local,
    visibility: status.visibility,
    quotePolicy: status.quotePolicy,
    inReplyToId: status.inReplyToId,
    replies: 0,
    reblogs: 0,
    favourites: 0,
    quotes: 0,
    reactions: 0,
    entryCreatedAt: null,
    entryVisibility: null,
    entryLocal: null,
  };
}
