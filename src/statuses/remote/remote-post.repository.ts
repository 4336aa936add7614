import { Injectable } from '@nestjs/common';
import { isAccepted } from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';
import { ADDRESSED_ONLY } from '../model/visibility.js';

/** The facts that decide how an incoming post is stored. */
export interface ArrivalFacts {
  /** Whether it was deleted, or its deletion arrived before it. */
  readonly is_deleted: boolean;
  readonly has_subscribers: boolean;
  /** The moderation tags of the author. */
  readonly author_tags: readonly string[];
}

/** The poll of a remote post. */
export interface RemotePollRow {
  readonly poll_id: string;
  readonly status_id: string;
  readonly titles: readonly string[];
}

/** A boost and the post that it boosts. */
export interface RemoteBoostRow {
  readonly author_id: string;
  readonly reblog_of_id: string;
}

// Index: statuses_uri_key.
const boostByUri = sql<RemoteBoostRow>(
  'remote_posts.boost_by_uri',
  `select author_id, reblog_of_id from statuses where uri = $1 and reblog_of_id is not null`,
);

const facts = sql<ArrivalFacts>(
  'remote_posts.facts',
  `select exists (select from tombstones where uri = $1) as is_deleted,
     exists (select from follows f where f.followee_id = $2 and f.notify and ${isAccepted('f')}) as has_subscribers,
     coalesce((select tags from accounts where id = $2), '{}') as author_tags`,
);

// Index: statuses_waiting_replies.
const adoptReplies = sql<{ is_counted: boolean }>(
  'remote_posts.adopt_replies',
  `update statuses s set in_reply_to_id = $1, in_reply_to_account_id = $2, version = s.version + 1
   where s.in_reply_to_uri = $3 and s.in_reply_to_id is null and s.id <> $1
   returning not (${ADDRESSED_ONLY.sql('s')}) as is_counted`,
);

// Index: statuses_waiting_quotes.
const adoptQuotes = sql<{ is_counted: boolean }>(
  'remote_posts.adopt_quotes',
  `update statuses s set quote_of_id = $1, version = s.version + 1
   where s.quote_uri = $2 and s.quote_of_id is null and s.id <> $1
   returning not (${ADDRESSED_ONLY.sql('s')}) as is_counted`,
);

const bury = sql(
  'remote_posts.bury',
  `insert into tombstones (uri, former_type, local) values ($1, 'Note', false) on conflict do nothing`,
);

const mediaUrls = sql<{ url: string | null; description: string }>(
  'remote_posts.media',
  `select remote_url as url, description from attachments where status_id = $1 order by position`,
);

const recount = sql(
  'remote_posts.recount_poll',
  `with poll as (
     update polls set voters_count = greatest(voters_count, $3), expires_at = coalesce($4, expires_at)
     where status_id = $1 returning id)
   update poll_options o set votes_count = ($2::int[])[o.position + 1] from poll
   where o.poll_id = poll.id and o.position < cardinality($2::int[])`,
);

/** The SQL that only remote posts need. */
@Injectable()
export class RemotePostRepository {
  constructor(private readonly db: Database) {}

  async facts(uri: string, authorId: string): Promise<ArrivalFacts> {
    const row = await this.db.first(facts, [uri, authorId]);
    return row ?? { is_deleted: false, has_subscribers: false, author_tags: [] };
  }

  boostByUri(uri: string): Promise<RemoteBoostRow | undefined> {
    return this.db.first(boostByUri, [uri]);
  }

  /** Attaches replies that arrived before their parent; returns how many of them count. */
  async adoptReplies(id: string, authorId: string, uri: string): Promise<number> {
    return counted(await this.db.rows(adoptReplies, [id, authorId, uri]));
  }

  /** Attaches quotes that arrived before the quoted post; returns how many of them count. */
  async adoptQuotes(id: string, uri: string): Promise<number> {
    return counted(await this.db.rows(adoptQuotes, [id, uri]));
  }

  /** Remembers that a post is deleted, so that a late copy of it is not stored. */
  async bury(uri: string): Promise<void> {
    await this.db.run(bury, [uri]);
  }

  /** The addresses and descriptions of a post's files, in order. */
  media(statusId: string): Promise<{ url: string | null; description: string }[]> {
    return this.db.rows(mediaUrls, [statusId]);
  }

  /** Replaces the counts of a poll by those of its server. */
  async recountPoll(statusId: string, votes: readonly number[], voters: number, expiresAt: Date | null): Promise<void> {
    await this.db.run(recount, [statusId, votes, voters, expiresAt]);
  }
}

function counted(rows: readonly { readonly is_counted: boolean }[]): number {
  return rows.filter((row) => row.is_counted).length;
}
