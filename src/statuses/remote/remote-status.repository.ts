import { Inject, Injectable } from '@nestjs/common';
import { isAccepted } from '../../accounts/index.js';
import { contextUri } from '../../common/index.js';
import { Database, ENV, type Env, someRow, sql, type Statement } from '../../platform/index.js';
import { UNKNOWN_TYPE } from '../model/status.entities.js';
import { PUBLIC_OR_UNLISTED } from '../model/visibility.js';
import type { RemotePoll, RemoteStatus } from './remote-status.js';

/** The facts that decide how an incoming post is stored. */
export interface ArrivalFacts {
  /** Whether it was deleted, or its deletion arrived before it. */
  readonly isDeleted: boolean;
  readonly hasSubscribers: boolean;
  /** Whether the number of posts that was fetched from the author's server contains it. */
  readonly isCounted: boolean;
  /** The moderation tags of the author. */
  readonly authorTags: readonly string[];
}

/** The poll of a remote post. */
export interface RemotePollRow {
  readonly pollId: string;
  readonly statusId: string;
  readonly titles: readonly string[];
}

/** A boost and the post that it boosts. */
export interface RemoteReblogRow {
  readonly authorId: string;
  readonly reblogOfId: string;
}

// Index: statuses_uri_key.
const reblogByUri = sql<RemoteReblogRow>(
  'remote_posts.boost_by_uri',
  `select author_id as "authorId", reblog_of_id as "reblogOfId" from statuses where uri = $1 and reblog_of_id is not null`,
);

const facts = sql<ArrivalFacts>(
  'remote_posts.facts',
  `select ${someRow(`tombstones t where t.uri = given.uri and t.former_type <> '${UNKNOWN_TYPE}'`)} as "isDeleted",
     ${someRow(`follows f where f.followee_id = given.author_id and f.notify and ${isAccepted('f')}`)} as "hasSubscribers",
     coalesce((select tags from accounts where id = given.author_id), '{}') as "authorTags",
     ${someRow('account_stats t where t.account_id = given.author_id and t.counts_fetched_at >= given.published_at')} as "isCounted"
   from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality as given (uri, author_id, published_at, at) order by at`,
);

/** The next posts that wait for one that arrived, `$3` for each. */
const waitingFor = (uri: string, parent: string) =>
  `unnest($1::text[], $2::text[]) as given (id, uri) join statuses parent on parent.id = given.id and parent.uri = given.uri
     cross join lateral (
     select w.id from statuses w where w.${uri} = given.uri and w.${parent} is null and w.id <> given.id`;

// A conversation that a reply begins is that of its parent: no older post in it stands elsewhere, and none of this server, whose
// contexts begin with `$4`, opened it. Index: statuses_waiting_replies, statuses_conversation.
const linkReplies = sql<LinkedRow>(
  'remote_posts.adopt_replies',
  `with linked as (
     update statuses s set in_reply_to_id = parent.id, in_reply_to_account_id = parent.author_id, version = s.version + 1,
       group_id = coalesce(s.group_id, parent.group_id)
     from ${waitingFor('in_reply_to_uri', 'in_reply_to_id')} limit $3) waiting
     where s.id = waiting.id and s.in_reply_to_id is null
     returning parent.id as by, ${PUBLIC_OR_UNLISTED.sql('s')} as counts, s.id, s.conversation_id,
       parent.uri as parent_uri, parent.conversation_id as parent_conversation_id)
   select by, counts as "isCounted",
     case when conversation_id <> parent_conversation_id and id = min(id) over (partition by conversation_id) then (
       select c.id from conversations c where c.id = linked.conversation_id and not starts_with(c.uri, $4)
         and not exists (
           select from statuses older where older.conversation_id = c.id and older.id < linked.id
             and older.in_reply_to_id is null and older.in_reply_to_uri is distinct from linked.parent_uri))
     end as "begunConversationId", id
   from linked`,
);

// Index: statuses_waiting_quotes.
const linkQuotes = sql<LinkedRow>(
  'remote_posts.adopt_quotes',
  `update statuses s set quote_of_id = parent.id, version = s.version + 1
   from ${waitingFor('quote_uri', 'quote_of_id')} and not w.quote_refused limit $3) waiting
   where s.id = waiting.id and s.quote_of_id is null and not s.quote_refused
   returning parent.id as by, ${PUBLIC_OR_UNLISTED.sql('s')} as "isCounted"`,
);

// Index: statuses_waiting_quotes.
const isQuoted = sql(
  'remote_posts.is_quoted',
  `select from statuses where quote_uri = $1 and quote_of_id is null and not quote_refused limit 1`,
);

// The bodies of the quotes say it. Index: statuses_waiting_quotes.
const endQuotes = sql(
  'remote_posts.end_quotes',
  `with gone as (
     insert into tombstones (uri, former_type, local, by_server) values ($1, '${UNKNOWN_TYPE}', false, true)
     on conflict do nothing returning uri)
   update statuses s set version = version + 1 from gone where s.quote_uri = gone.uri and s.quote_of_id is null`,
);

const isWithdrawn = sql('remote_posts.is_withdrawn', `select from tombstones where uri = $1 and by_server`);

const forgetDeletion = sql('remote_posts.forget_deletion', `delete from tombstones where uri = $1 and by_server`);

const mediaUrls = sql<{ url: string | null; description: string }>(
  'remote_posts.media',
  `select remote_url as url, description from attachments where status_id = $1 order by position`,
);

// Returns a row if the poll has another end now. One whose end lies ahead again is open. Does nothing if newer counts are
// known: none are that came with an earlier version. Counts without a stated time may have been late: they are not known to
// be from after the end.
const recount = sql<{ isReopened: boolean }>(
  'remote_posts.recount_poll',
  `with given as (
     select id, expires_at, closed, counts_as_of, coalesce($6::timestamptz, least(now(), coalesce($4, expires_at))) as as_of
     from polls where status_id = $1),
   former as (select id, expires_at, closed, as_of from given where $8 or coalesce(counts_as_of <= as_of, true)),
   poll as (
     update polls p set voters_count = case when $7 then greatest(p.voters_count, $3) else $3 end, expires_at = coalesce($4, p.expires_at),
       closed = p.closed and not coalesce($4 > now(), false), non_anonymous = $5, fetched_at = now(),
       counts_as_of = former.as_of
     from former where p.id = former.id
     returning p.id, p.expires_at is distinct from former.expires_at as has_other_end,
       former.closed and not p.closed as is_reopened),
   counted as (
     update poll_options o set votes_count = ($2::int[])[o.position + 1] from poll
     where o.poll_id = poll.id and o.position < cardinality($2::int[]))
   select is_reopened as "isReopened" from poll where has_other_end`,
);

/** A reply or quote, and the post that it was attached to. */
interface LinkedRow {
  readonly by: string;
  readonly isCounted: boolean;
  /** The conversation that a reply begins, where that of the post is another one. */
  readonly begunConversationId?: string | null;
  /** The reply. */
  readonly id?: string;
}

type Published = Pick<RemoteStatus, 'uri' | 'authorId' | 'publishedAt'>;

/** A post that has just been stored. */
interface Arrival {
  readonly id: string;
  readonly uri: string;
}

/** Some of what waited for a post. */
export interface Linked {
  /** How many of them count. */
  readonly counted: number;
  /** Whether others may wait still. */
  readonly hasMore: boolean;
  /** The conversations that replies begin, apart from that of the post. */
  readonly begun: readonly { readonly conversationId: string; readonly replyId: string }[];
}

/** Replies or quotes that are attached to a post at once: each update writes to a dozen indexes. */
export const LINKED_AT_ONCE = 500;

/** The SQL that only remote posts need. The posts of one unit of work share the statements that each of them needs. */
@Injectable()
export class RemoteStatusRepository {
  private readonly factsOf;
  private readonly replies;
  private readonly quotes;

  constructor(
    @Inject(ENV) env: Env,
    private readonly db: Database,
  ) {
    this.factsOf = db.batches<Published, ArrivalFacts>((posts) =>
      db.rows(facts, [posts.map(uriOf), posts.map(({ authorId }) => authorId), posts.map((post) => post.publishedAt)]),
    );
    const linked = (statement: Statement<LinkedRow>, ...values: string[]) =>
      db.batches<Arrival, Linked>(async (posts) => {
        const ids = posts.map(({ id }) => id);
        return linkedTo(ids, await db.rows(statement, [ids, posts.map(uriOf), LINKED_AT_ONCE, ...values]));
      });
    this.replies = linked(linkReplies, contextUri(env.baseUrl, ''));
    this.quotes = linked(linkQuotes);
  }

  facts({ uri, authorId, publishedAt }: Published): Promise<ArrivalFacts> {
    return this.factsOf.add({ uri, authorId, publishedAt });
  }

  reblogByUri(uri: string): Promise<RemoteReblogRow | undefined> {
    return this.db.first(reblogByUri, [uri]);
  }

  /** Whether posts quote one that is not stored. */
  async isQuoted(uri: string): Promise<boolean> {
    return (await this.db.rows(isQuoted, [uri])).length > 0;
  }

  async endQuotes(uri: string): Promise<void> {
    await this.db.run(endQuotes, [uri]);
  }

  async isWithdrawn(uri: string): Promise<boolean> {
    return (await this.db.rows(isWithdrawn, [uri])).length > 0;
  }

  async forgetDeletion(uri: string): Promise<void> {
    await this.db.run(forgetDeletion, [uri]);
  }

  /** Attaches replies that arrived before their parent, at most {@link LINKED_AT_ONCE}. */
  linkReplies(status: Arrival): Promise<Linked> {
    return this.replies.add(status);
  }

  /** Attaches quotes that arrived before the quoted post, at most {@link LINKED_AT_ONCE}. */
  linkQuotes(status: Arrival): Promise<Linked> {
    return this.quotes.add(status);
  }

  /** The addresses and descriptions of a post's files, in order. */
  media(statusId: string): Promise<{ url: string | null; description: string }[]> {
    return this.db.rows(mediaUrls, [statusId]);
  }

  /**
   * Replaces the counts of a poll, and its end, by those that its server had at a moment, unless newer ones are known; null
   * when no moment is stated: then they count in the order in which they come. Where it has another end now, returns whether
   * that reopens it; else undefined.
   */
  recountPoll(
    statusId: string,
    poll: RemotePoll,
    { asOf, isLaterVersion }: { readonly asOf: Date | null; readonly isLaterVersion: boolean },
  ): Promise<{ isReopened: boolean } | undefined> {
    const { options, voters, mayBeMore, expiresAt, nonAnonymous } = poll;
    const votes = options.map((option) => option.votes);
    const counts = [statusId, votes, voters, expiresAt, nonAnonymous];
    return this.db.first(recount, [...counts, asOf, mayBeMore, isLaterVersion]);
  }
}

const uriOf = ({ uri }: Pick<Arrival, 'uri'>): string => uri;

function linkedTo(ids: readonly string[], rows: readonly LinkedRow[]): Linked[] {
  return ids.map((id) => {
    const own = rows.filter((row) => row.by === id);
    return {
      counted: own.filter((row) => row.isCounted).length,
      // Some of those that were found may have gone before they could be attached.
      hasMore: own.length >= LINKED_AT_ONCE / 2,
      begun: own.flatMap(({ id: replyId, begunConversationId: conversationId }) =>
        conversationId != null && replyId !== undefined ? { conversationId, replyId } : [],
      ),
    };
  });
}
