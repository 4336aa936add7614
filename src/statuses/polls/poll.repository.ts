import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { PollDraft } from './poll.draft.js';
import { OUTDATED_AT, WAS_OPEN } from '../rendering/status-parts.sql.js';
import { StatusFlag } from '../model/status.flags.js';
import { isDeactivated, maySee } from '../model/visibility.js';
import { eitherBlocks, isExpired, isUnexpired } from '../../accounts/index.js';

/** A poll with the fields that votes and its view need. */
export interface PollRow {
  readonly id: string;
  readonly statusId: string;
  readonly authorId: string;
  /** Whether it is remote, its counts may have changed since its server had them, and it may be asked again. */
  readonly isOutdated: boolean;
  /** Whether its post is local. */
  readonly local: boolean;
  readonly multiple: boolean;
  readonly expired: boolean;
  readonly options: number;
  readonly hasVoted: boolean;
  /** Whether the author and the viewer are apart: one of them blocks the other. */
  readonly isBlocked: boolean;
}

/** A choice that a remote account added to its vote. */
export interface AddedChoice {
  readonly id: string;
  readonly position: number;
  readonly authorId: string;
  readonly local: boolean;
  /** Whether it is the account's first. */
  readonly isFirst: boolean;
}

/** A poll `p` whose counts may be from before its end, and were not asked for in the last minute. */
const isOutdated = `${OUTDATED_AT} < now() and ${WAS_OPEN}`;

const visible = sql<PollRow>(
  'polls.visible',
  `select p.id, p.status_id as "statusId", s.author_id as "authorId", s.local, not s.local and ${isOutdated} as "isOutdated",
     p.multiple, coalesce(${isExpired('p')}, false) as expired,
     (select count(*)::int from poll_options o where o.poll_id = p.id) as options,
     exists(select from poll_votes v where v.poll_id = p.id and v.account_id = $1) as "hasVoted",
     ${eitherBlocks('s.author_id', '$1')} as "isBlocked"
   from polls p join statuses s on s.id = p.status_id where p.id = $2 and ${maySee('s')}`,
);

/** The post of a poll that has ended. */
export interface ClosedPoll {
  readonly local: boolean;
  readonly visibility: number;
}

// The poll of a post keeps its id when it is asked anew.
const insert = sql(
  'polls.insert',
  `with made as (
     insert into polls (status_id, expires_at, multiple, hide_totals, counted, voters_count, non_anonymous, counts_as_of)
     values ($1, $2, $3, $4, true, $7, $8, $9)
     on conflict (status_id) do update set expires_at = excluded.expires_at, multiple = excluded.multiple,
       hide_totals = excluded.hide_totals, voters_count = excluded.voters_count, closed = false,
       non_anonymous = excluded.non_anonymous, counts_as_of = excluded.counts_as_of, fetched_at = now()
     returning id),
   worded as (update statuses set tsv = tsv || words_of(array_to_string($5::text[], ' ')) where id = $1)
   insert into poll_options (poll_id, position, title, votes_count)
   select made.id, o.at - 1, o.title, coalesce(($6::int[])[o.at], 0)
   from made, unnest($5::text[]) with ordinality as o(title, at)`,
);

const vote = sql(
  'polls.vote',
  `insert into poll_votes (poll_id, account_id, choices) values ($1, $2, $3::smallint[]) on conflict do nothing`,
);

// Voters may add choices to a multiple-choice poll until it ends. `xmax` is 0 for a new row.
const addChoice = sql<AddedChoice>(
  'polls.add_choice',
  `with chosen as (
     select p.id, p.multiple, o.position, s.author_id, s.local from statuses s
     join polls p on p.status_id = s.id join poll_options o on o.poll_id = p.id
     where s.id = $1 and s.local and s.author_id <> $2 and o.title = $3 and not p.closed and ${isUnexpired('p')}
       and ${maySee('s', '$2')} and not ${eitherBlocks('s.author_id', '$2')}
     limit 1 for no key update of p),
   voted as (
     insert into poll_votes as v (poll_id, account_id, choices) select id, $2, array[position] from chosen
     on conflict (poll_id, account_id) do update set choices = v.choices || excluded.choices
       where (select multiple from chosen) and not v.choices @> excluded.choices
     returning v.poll_id, xmax = 0 as is_first)
   select c.id, c.position, c.author_id as "authorId", c.local, v.is_first as "isFirst" from chosen c join voted v on v.poll_id = c.id`,
);

// Locks the poll before its options, so that two voters cannot deadlock. Rejects a vote that began before the end but
// arrives after the end was announced: its voter would not be notified.
const countVoter = sql(
  'polls.count_voter',
  `update polls set voters_count = voters_count + 1 where id = $1 and not closed and ${isUnexpired('polls')}`,
);

const countChoices = sql(
  'polls.count_choices',
  `update poll_options set votes_count = votes_count + 1 where poll_id = $1 and position = any($2::smallint[])`,
);

// Conflicts with the lock of votes, so that neither runs during the other.
const lock = sql('polls.lock', `select from polls where status_id = $1 for update`);

const remove = sql('polls.remove', `delete from polls where status_id = $1`);

const empty = sql(
  'polls.empty',
  `with poll as (select id from polls where status_id = $1),
   voted as (delete from poll_votes where poll_id in (select id from poll))
   delete from poll_options where poll_id in (select id from poll)`,
);

const reset = sql(
  'polls.reset',
  `update polls set expires_at = $2, hide_totals = $3, closed = false where status_id = $1`,
);

// Only one of several viewers gets the row.
const refresh = sql<{ uri: string }>(
  'polls.refresh',
  `update polls p set fetched_at = now() from statuses s
   where s.id = p.status_id and p.id = $1 and not s.local and ${isOutdated} returning s.uri`,
);

const close = sql<ClosedPoll>(
  'polls.close',
  `update polls p set closed = true from statuses s
   where p.status_id = $1 and s.id = p.status_id and not p.closed and ${isExpired('p')} and not ${isDeactivated('s.author_id')}
   returning s.local, s.visibility`,
);

// Waits for an activation of the author, which then finds the poll.
const postponeEnd = sql(
  'polls.postpone_end',
  `with author as materialized (
     select a.id from statuses s join accounts a on a.id = s.author_id
     where s.id = $1 and a.deactivated_at is not null and a.deleted_at is null for share of a)
   update polls set closed = false from author where status_id = $1 and closed`,
);

// Index: statuses_author, polls_status_id_key.
const overdue = sql<{ statusId: string }>(
  'polls.overdue',
  `select p.status_id as "statusId" from statuses s join polls p on p.status_id = s.id
   where s.author_id = $1 and s.flags & ${StatusFlag.poll} <> 0 and not p.closed and ${isExpired('p')} order by p.expires_at`,
);

/** Number of polls that one statement adds to the search index. */
const BATCH = 500;

// Locks the posts before the polls, as an edit does. A trigger computes the words. Index: polls_uncounted.
const countWords = sql(
  'polls.count_words',
  `with next as materialized (select status_id from polls where not counted order by id limit ${BATCH}),
   worded as (
     update statuses set content_text = content_text where id in (
       select id from statuses where id in (select status_id from next) order by id for no key update) returning id)
   update polls set counted = true where not counted and status_id in (select id from worded)`,
);

/** All SQL on polls, their options and votes. Ids are checked texts of `bigint`. */
@Injectable()
export class PollRepository {
  constructor(private readonly db: Database) {}

  /** A poll whose post the viewer may see; `viewerId` is `''` for anonymous callers. */
  visible(id: string, viewerId: string): Promise<PollRow | undefined> {
    return this.db.first(visible, [viewerId, id]);
  }

  async insert(statusId: string, poll: PollDraft): Promise<void> {
    const { expiresAt, multiple, hideTotals, options, counts, nonAnonymous = false } = poll;
    const tally = [counts?.votes ?? [], counts?.voters ?? 0, nonAnonymous, counts?.asOf ?? null];
    const values = [statusId, expiresAt, multiple, hideTotals, options, ...tally];
    await this.db.run(insert, values);
  }

  /** Asks the poll of a post anew, without its votes, or adds its first. */
  async replace(statusId: string, poll: PollDraft): Promise<void> {
    await this.db.run(lock, [statusId]);
    await this.db.run(empty, [statusId]);
    await this.insert(statusId, poll);
  }

  /** Removes the poll of a post with its votes. */
  async remove(statusId: string): Promise<void> {
    await this.db.run(lock, [statusId]);
    await this.db.run(remove, [statusId]);
  }

  /** Gives the poll another end, and reopens it. Keeps its votes. */
  async reset(statusId: string, { expiresAt, hideTotals }: PollDraft): Promise<void> {
    await this.db.run(reset, [statusId, expiresAt, hideTotals]);
  }

  /** Returns false when the account has already voted. */
  async vote(id: string, accountId: string, choices: readonly number[]): Promise<boolean> {
    return (await this.db.run(vote, [id, accountId, choices])) === 1;
  }

  /** Adds a choice by its title; undefined when the account may not choose it, or has already done so. */
  addChoice(statusId: string, accountId: string, title: string): Promise<AddedChoice | undefined> {
    return this.db.first(addChoice, [statusId, accountId, title]);
  }

  /** Counts one more voter; returns false when the poll has ended. */
  async countVoter(id: string): Promise<boolean> {
    return (await this.db.run(countVoter, [id])) === 1;
  }

  /** Counts one more vote for each option; returns how many of the options exist. */
  countChoices(id: string, choices: readonly number[]): Promise<number> {
    return this.db.run(countChoices, [id, choices]);
  }

  /** Notes that the counts of a poll are asked for now; returns the address of its post, undefined if they are not outdated. */
  async refresh(id: string): Promise<string | undefined> {
    return (await this.db.first(refresh, [id]))?.uri;
  }

  /** Adds the options of the next polls to the search index of their posts. Returns false at the end. */
  async countWords(): Promise<boolean> {
    return (await this.db.run(countWords, [])) === BATCH;
  }

  /** Returns the post at the first call after the poll's end; undefined while its author is deactivated. */
  close(statusId: string): Promise<ClosedPoll | undefined> {
    return this.db.first(close, [statusId]);
  }

  /** Has the end of a poll announced once more when its deactivated author is activated. */
  async postponeEnd(statusId: string): Promise<void> {
    await this.db.run(postponeEnd, [statusId]);
  }

  /** The posts of an author whose polls have ended and are not closed, the earliest end first. */
  async overdue(authorId: string): Promise<string[]> {
    const rows = await this.db.rows(overdue, [authorId]);
    return rows.map(({ statusId }) => statusId);
  }
}
