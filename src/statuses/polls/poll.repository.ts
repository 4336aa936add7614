import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { PollDraft } from './poll.draft.js';
import { maySee } from '../model/visibility.js';
import { blocks, isUnexpired } from '../../accounts/index.js';

/** A poll for those who want to vote, and for its view. */
export interface PollRow {
  readonly id: string;
  readonly status_id: string;
  readonly author_id: string;
  /** Whether its post is of this server. */
  readonly local: boolean;
  readonly multiple: boolean;
  readonly expired: boolean;
  readonly options: number;
  readonly has_voted: boolean;
  /** Whether the author blocks the viewer. */
  readonly is_blocked_by_author: boolean;
}

/** A choice that a remote account added to its vote. */
export interface AddedChoice {
  readonly id: string;
  readonly position: number;
  readonly author_id: string;
  readonly local: boolean;
  /** Whether it is the account's first. */
  readonly is_first: boolean;
}

const visible = sql<PollRow>(
  'polls.visible',
  `select p.id, p.status_id, s.author_id, s.local, p.multiple, coalesce(p.expires_at <= now(), false) as expired,
     (select count(*)::int from poll_options o where o.poll_id = p.id) as options,
     exists(select from poll_votes v where v.poll_id = p.id and v.account_id = $1) as has_voted,
     ${blocks('s.author_id', '$1')} as is_blocked_by_author
   from polls p join statuses s on s.id = p.status_id where p.id = $2 and ${maySee('s')}`,
);

const insert = sql(
  'polls.insert',
  `with made as (
     insert into polls (status_id, expires_at, multiple, hide_totals, counted, voters_count)
     values ($1, $2, $3, $4, true, $7) returning id),
   worded as (update statuses set tsv = tsv || words_of(array_to_string($5::text[], ' ')) where id = $1)
   insert into poll_options (poll_id, position, title, votes_count)
   select made.id, o.at - 1, o.title, coalesce(($6::int[])[o.at], 0)
   from made, unnest($5::text[]) with ordinality as o(title, at)`,
);

const vote = sql(
  'polls.vote',
  `insert into poll_votes (poll_id, account_id, choices) values ($1, $2, $3::smallint[]) on conflict do nothing`,
);

// A voter may add choices to a poll that takes several, until it is over. `xmax` is 0 for a new row.
const addChoice = sql<AddedChoice>(
  'polls.add_choice',
  `with chosen as (
     select p.id, p.multiple, o.position, s.author_id, s.local from statuses s
     join polls p on p.status_id = s.id join poll_options o on o.poll_id = p.id
     where s.id = $1 and s.local and s.author_id <> $2 and o.title = $3 and not p.closed and ${isUnexpired('p')}
       and ${maySee('s', '$2')} and not ${blocks('s.author_id', '$2')}
     limit 1 for no key update of p),
   voted as (
     insert into poll_votes as v (poll_id, account_id, choices) select id, $2, array[position] from chosen
     on conflict (poll_id, account_id) do update set choices = v.choices || excluded.choices
       where (select multiple from chosen) and not v.choices @> excluded.choices
     returning v.poll_id, xmax = 0 as is_first)
   select c.id, c.position, c.author_id, c.local, v.is_first from chosen c join voted v on v.poll_id = c.id`,
);

// The poll is locked before its options, so that two voters never wait for each other. A vote that began before the end and
// comes after the end was told of is too late: nobody would tell this voter.
const countVoter = sql(
  'polls.count_voter',
  `update polls set voters_count = voters_count + 1 where id = $1 and not closed and ${isUnexpired('polls')}`,
);

const countChoices = sql(
  'polls.count_choices',
  `update poll_options set votes_count = votes_count + 1 where poll_id = $1 and position = any($2::smallint[])`,
);

// Waits for votes that are being counted, and votes wait for it.
const lock = sql('polls.lock', `select from polls where status_id = $1 for update`);

const remove = sql('polls.remove', `delete from polls where status_id = $1`);

const reset = sql(
  'polls.reset',
  `update polls set expires_at = $2, hide_totals = $3, closed = false where status_id = $1`,
);

const close = sql<{ id: string }>(
  'polls.close',
  `update polls set closed = true where status_id = $1 and not closed and expires_at <= now() returning id`,
);

/** Polls whose words are counted at once. */
const BATCH = 500;

// Index: polls_uncounted. The posts are locked before the polls, as by an edit; a trigger makes their words.
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

  async insert(statusId: string, { expiresAt, multiple, hideTotals, options, counts }: PollDraft): Promise<void> {
    const values = [statusId, expiresAt, multiple, hideTotals, options, counts?.votes ?? [], counts?.voters ?? 0];
    await this.db.run(insert, values);
  }

  /** Another poll in the place of the post's, or its first one. */
  async replace(statusId: string, poll: PollDraft): Promise<void> {
    await this.remove(statusId);
    await this.insert(statusId, poll);
  }

  /** Takes the poll of a post away, with its votes. */
  async remove(statusId: string): Promise<void> {
    await this.db.run(lock, [statusId]);
    await this.db.run(remove, [statusId]);
  }

  /** The same poll until another time. */
  async reset(statusId: string, { expiresAt, hideTotals }: PollDraft): Promise<void> {
    await this.db.run(reset, [statusId, expiresAt, hideTotals]);
  }

  /** False when the account voted before. */
  async vote(id: string, accountId: string, choices: readonly number[]): Promise<boolean> {
    return (await this.db.run(vote, [id, accountId, choices])) === 1;
  }

  /** Adds a choice by its title; undefined when the account may not make it, or has made it. */
  addChoice(statusId: string, accountId: string, title: string): Promise<AddedChoice | undefined> {
    return this.db.first(addChoice, [statusId, accountId, title]);
  }

  /** Counts one voter more; false when the poll is over. */
  async countVoter(id: string): Promise<boolean> {
    return (await this.db.run(countVoter, [id])) === 1;
  }

  /** Counts one vote more for each option; answers how many of them there are. */
  countChoices(id: string, choices: readonly number[]): Promise<number> {
    return this.db.run(countChoices, [id, choices]);
  }

  /** Lets the next posts be found by what their polls offer that cannot be yet. False when these were all. */
  async countWords(): Promise<boolean> {
    return (await this.db.run(countWords, [])) === BATCH;
  }

  /** True for the first call after the poll's end. */
  async close(statusId: string): Promise<boolean> {
    return (await this.db.rows(close, [statusId])).length > 0;
  }
}
