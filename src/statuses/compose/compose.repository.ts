import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { blocks } from '../../accounts/index.js';
import type { PageRow } from '../model/page.sql.js';
import type { BodyRow } from '../rendering/status.render.js';

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
  /** The URI of a parent that is not stored here (yet). */
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
  readonly expiresAt: Date | null;
  readonly flags: number;
}

/** A post that was not stored before. */
interface InsertedRow {
  readonly id: string;
  readonly conversation_id: string;
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

// Several posts at once. Ordered by URI: two units that store the same posts would wait for each other crosswise.
const insertStatuses = sql<InsertedRow>(
  'statuses.insert',
  `with given as materialized (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::bigint[],
       $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bool[], $15::text[], $16::bool[], $17::jsonb[],
       $18::timestamptz[], $19::timestamptz[], $20::smallint[], $21::text[], $22::text[], $23::bigint[], $24::text[],
       $25::text[], $26::jsonb[], $27::timestamptz[], $28::smallint[], $29::text[], $30::bool[], $31::text[])
     as given (id, author_id, uri, visibility, in_reply_to_id, in_reply_to_account_id, context_uri, conversation_id,
       content_html, content_text, source, content_type, spoiler, sensitive, language, local, application,
       created_at, expires_at, flags, quote_of_id, quote_uri, list_id, url,
       in_reply_to_uri, emojis, edited_at, quote_policy, quote_approval, quote_refused, group_id)),
   opened as (
     insert into conversations (uri) select distinct context_uri from given where conversation_id is null order by 1
     on conflict (uri) do update set uri = excluded.uri returning id, uri),
   created as (
     insert into statuses (id, author_id, uri, visibility, in_reply_to_id, in_reply_to_account_id, conversation_id,
       content_html, content_text, source, content_type, spoiler, sensitive, language, local, application, created_at,
       expires_at, flags, quote_of_id, quote_uri, list_id, url, in_reply_to_uri, emojis, edited_at,
       quote_policy, quote_approval, quote_refused, group_id)
     select g.id, g.author_id, g.uri, g.visibility, g.in_reply_to_id, g.in_reply_to_account_id, coalesce(g.conversation_id, o.id),
       g.content_html, g.content_text, g.source, g.content_type, g.spoiler, g.sensitive, g.language, g.local, g.application, g.created_at,
       g.expires_at, g.flags, g.quote_of_id, g.quote_uri, g.list_id, g.url, g.in_reply_to_uri, g.emojis, g.edited_at,
       g.quote_policy, g.quote_approval, g.quote_refused,
       coalesce(g.group_id, (select parent.group_id from statuses parent where parent.id = g.in_reply_to_id))
     from given g left join opened o on o.uri = g.context_uri order by g.uri
     on conflict (uri) do nothing returning id, conversation_id),
   counted as (insert into status_stats (status_id) select id from created)
   select id, conversation_id from created`,
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
    const rows = await this.db.rows(insertStatuses, [
      statuses.map(({ id }) => id),
      statuses.map(({ authorId }) => authorId),
      statuses.map(({ uri }) => uri),
      statuses.map(({ visibility }) => visibility),
      statuses.map(({ inReplyToId }) => inReplyToId),
      statuses.map(({ inReplyToAccountId }) => inReplyToAccountId),
      statuses.map(({ contextUri }) => contextUri),
      statuses.map(({ conversationId }) => conversationId),
      statuses.map(({ contentHtml }) => contentHtml),
      statuses.map(({ contentText }) => contentText),
      statuses.map(({ source }) => source),
      statuses.map(({ contentType }) => contentType),
      statuses.map(({ spoiler }) => spoiler),
      statuses.map(({ sensitive }) => sensitive),
      statuses.map(({ language }) => language),
      statuses.map(({ local }) => local),
      statuses.map(({ application }) => application),
      statuses.map(({ createdAt }) => createdAt),
      statuses.map(({ expiresAt }) => expiresAt),
      statuses.map(({ flags }) => flags),
      statuses.map(({ quoteOfId }) => quoteOfId),
      statuses.map(({ quoteUri }) => quoteUri),
      statuses.map(({ listId }) => listId),
      statuses.map(({ url }) => url),
      statuses.map(({ inReplyToUri }) => inReplyToUri),
      statuses.map(({ emojis }) => JSON.stringify(emojis)),
      statuses.map(({ editedAt }) => editedAt),
      statuses.map(({ quotePolicy }) => quotePolicy),
      statuses.map(({ quoteApproval }) => quoteApproval),
      statuses.map(({ quoteRefused }) => quoteRefused),
      statuses.map(({ groupId }) => groupId),
    ]);
    const conversations = new Map(rows.map((row) => [row.id, row.conversation_id]));
    return statuses.map(({ id }) => conversations.get(id));
  }
}

/** The page row of a new post, as its author sees it. */
export function pageRowOf({ id, authorId, ...status }: NewStatus): PageRow {
  return {
    feed_id: id,
    entry_author_id: authorId,
    id,
    author_id: authorId,
    version: 1,
    flags: status.flags,
    conversation_id: status.conversationId,
    quote_of_id: status.quoteOfId,
    local: status.local,
    visibility: status.visibility,
    quote_policy: status.quotePolicy,
    in_reply_to_id: status.inReplyToId,
    replies: 0,
    reblogs: 0,
    favourites: 0,
    quotes: 0,
    reactions: 0,
    entry_created_at: null,
    entry_visibility: null,
    entry_local: null,
  };
}

/** The body of a new local post that has nothing but its row. */
export function bodyRowOf(status: NewStatus, conversationId: string): BodyRow {
  return {
    id: status.id,
    uri: status.uri,
    url: status.url,
    version: 1,
    visibility: status.visibility,
    in_reply_to_account_id: null,
    reply_nickname: null,
    reply_domain: null,
    conversation_id: conversationId,
    context: status.contextUri,
    quote_uri: null,
    quote_refused: false,
    content_html: status.contentHtml,
    content_text: status.contentText,
    spoiler: status.spoiler,
    sensitive: status.sensitive,
    language: status.language,
    local: true,
    emojis: status.emojis,
    application: status.application,
    created_at: status.createdAt.toISOString(),
    edited_at: null,
    pinned_at: null,
    mentions: null,
    tags: null,
    attachments: null,
    card: null,
    poll_options: null,
  };
}
