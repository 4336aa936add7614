import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { blocks } from '../../accounts/index.js';

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
  readonly quoteOfId: string | null;
  /** The URI of the quoted post. */
  readonly quoteUri: string | null;
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

/** The row of a new boost. */
export interface NewBoost {
  readonly id: string;
  readonly authorId: string;
  readonly uri: string;
  readonly visibility: number;
  readonly reblogOfId: string;
  readonly local: boolean;
  readonly createdAt: Date;
}

const insertStatus = sql(
  'statuses.insert',
  `with opened as (
     insert into conversations (uri) select $7 where $8::bigint is null
     on conflict (uri) do update set uri = excluded.uri returning id),
   created as (insert into statuses (id, author_id, uri, visibility, in_reply_to_id, in_reply_to_account_id, conversation_id, content_html,
     content_text, source, content_type, spoiler, sensitive, language, local, application, created_at, expires_at, flags,
     quote_of_id, quote_uri, list_id, url, in_reply_to_uri, emojis, edited_at)
   values ($1, $2, $3, $4, $5, $6, coalesce($8, (select id from opened)), $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
     $21, $22, $23, $24, $25, $26, $27)
     on conflict (uri) do nothing returning id)
   insert into status_stats (status_id) select id from created`,
);

// Accounts that block the author are not addressed: the mention neither notifies them nor gives them access.
const insertMentions = sql(
  'statuses.insert_mentions',
  `insert into mentions (status_id, account_id, position, silent)
   select $1, m.account_id, m.position, m.position > cardinality($3::text[])
   from unnest($3::text[] || $4::text[]) with ordinality as m(account_id, position)
   where not ${blocks('m.account_id', '$2')}`,
);

// Addresses the members at this time: later changes of the list do not affect the post.
const insertListed = sql(
  'statuses.insert_listed',
  `insert into mentions (status_id, account_id, position, silent)
   select $1, m.account_id, 0, true from list_members m join lists l on l.id = m.list_id
   where l.id = $3::bigint and l.account_id = $2 and not ${blocks('m.account_id', '$2')}
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

const insertBoost = sql(
  'statuses.insert_boost',
  `insert into statuses (id, author_id, uri, visibility, reblog_of_id, local, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict do nothing`,
);

/** Writes posts and boosts. No statement needs the result of another: send them together, in this order. */
@Injectable()
export class ComposeRepository {
  constructor(private readonly db: Database) {}

  /** Writes the post with its counters and its conversation; returns false when a post with this URI exists. */
  async insert(status: NewStatus): Promise<boolean> {
    return (await this.insertRow(status)) === 1;
  }

  /** Addresses accounts, the mentioned ones before the silent ones. */
  async insertMentions(
    statusId: string,
    authorId: string,
    named: readonly string[],
    silent: readonly string[],
  ): Promise<void> {
    await this.db.run(insertMentions, [statusId, authorId, named, silent]);
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
  async insertBoost(boost: NewBoost): Promise<boolean> {
    const { id, authorId, uri, visibility, reblogOfId, local, createdAt } = boost;
    return (await this.db.run(insertBoost, [id, authorId, uri, visibility, reblogOfId, local, createdAt])) === 1;
  }

  private insertRow(status: NewStatus): Promise<number> {
    return this.db.run(insertStatus, [
      status.id,
      status.authorId,
      status.uri,
      status.visibility,
      status.inReplyToId,
      status.inReplyToAccountId,
      status.contextUri,
      status.conversationId,
      status.contentHtml,
      status.contentText,
      status.source,
      status.contentType,
      status.spoiler,
      status.sensitive,
      status.language,
      status.local,
      status.application,
      status.createdAt,
      status.expiresAt,
      status.flags,
      status.quoteOfId,
      status.quoteUri,
      status.listId,
      status.url,
      status.inReplyToUri,
      JSON.stringify(status.emojis),
      status.editedAt,
    ]);
  }
}
