import { Injectable } from '@nestjs/common';
import { Batches, columns, Database, type RowOf, sql } from '../../platform/index.js';
import { unique } from '../../common/index.js';
import { ACCEPTED, blocks, blocksServerOf, isAccepted, isDeleted, isPending } from '../model/relations.sql.js';
import { serverNames } from '../model/server-names.js';
import { Follow, FOLLOW_ACCEPTED } from '../model/relationship.entities.js';

/** The facts that decide whether and how one account may follow another. */
export interface FollowFacts {
  readonly nickname: string;
  readonly locked: boolean;
  /** The moderation tags of the followee. */
  readonly tags: readonly string[];
  readonly localFollowee: boolean;
  readonly localFollower: boolean;
  readonly blocked: boolean;
  /** Whether a follow belongs in the counters of both: neither is deactivated. */
  readonly counted: boolean;
  /** Also true for a block of the follower's whole server. */
  readonly blockedBy: boolean;
  /** Whether the followee moved to another account, and there is no follow yet. */
  readonly moved: boolean;
  /** The name of the followee's server that the follower blocks; null without one, and for a follow that exists. */
  readonly blockedDomain: string | null;
}

export interface FollowOptions {
  /** Whether the home timeline shows boosts; true unless given. */
  readonly reblogs?: boolean | undefined;
  /** Whether each new post causes a notification; false unless given. */
  readonly notify?: boolean | undefined;
  /** The languages of the posts that the home timeline shows; all unless given, and for an empty list. */
  readonly languages?: readonly string[] | undefined;
}

/** The two accounts of a follow. */
export type FollowPair = RowOf<Follow, 'followerId' | 'followeeId'>;

/** A local follower of an account that moved, with the options of the follow. */
export type MovableFollow = RowOf<Follow, 'id' | 'followerId' | 'reblogs' | 'notify' | 'languages'>;

/** A local account that follows another one, or asked to. */
export interface LocalFollower {
  readonly id: string;
  readonly uri: string;
  readonly accepted: boolean;
}

/** A follow that was deleted. */
export interface EndedFollow extends FollowPair {
  readonly state: number;
  /** Whether it was in the counters of both accounts. */
  readonly counted: boolean;
  readonly uri: string | null;
  readonly localFollower: boolean;
  readonly localFollowee: boolean;
}

/** A follow that was accepted. */
export interface AcceptedFollow {
  /** Whether it belongs in the counters of both accounts. */
  readonly counted: boolean;
  readonly uri: string | null;
  readonly localFollower: boolean;
  readonly localFollowee: boolean;
}

/** One of several requests that were accepted. */
type AcceptedRequest = Pick<EndedFollow, 'followerId' | 'counted' | 'localFollower' | 'uri'>;

/** A follow whose `counted` changed. */
export interface RecountedFollow extends FollowPair {
  readonly id: string;
  readonly counted: boolean;
}

/** For statements that join both accounts as `follower` and `followee`. */
const NEITHER_DEACTIVATED = `(follower.deactivated_at is null and followee.deactivated_at is null)`;

const isLocal = (account: string) => `(select domain is null from accounts where id = ${account})`;

const PAIR = columns(Follow, 'follows', ['followerId', 'followeeId']);
/** The columns of {@link EndedFollow}. */
const ENDED = `${PAIR}, state, counted, uri, ${isLocal('follower_id')} as "localFollower",
  ${isLocal('followee_id')} as "localFollowee"`;

// No index can express "no follow where there is a block": writers of either hold this lock until the unit ends. A
// domain block also waits for follows in progress: see domain_blocks.lock.
const lockPair = sql(
  'follows.lock_pair',
  `select pg_advisory_xact_lock(hashtextextended(least($1::text, $2::text) || ' ' || greatest($1::text, $2::text), 0)),
     pg_advisory_xact_lock_shared(hashtextextended('domain_blocks ' || $1, 0)),
     pg_advisory_xact_lock_shared(hashtextextended('domain_blocks ' || $2, 0))`,
);

/** SQL: whether there is a follow of `a` by `me`. */
const FOLLOWS = 'exists (select from follows f where f.follower_id = me.id and f.followee_id = a.id)';

const facts = sql<FollowFacts>(
  'follows.facts',
  `select a.nickname, a.locked, a.tags, a.domain is null as "localFollowee", me.domain is null as "localFollower",
     ${blocks('me.id', 'a.id')} as blocked,
     ${blocks('a.id', 'me.id')}
       or ${blocksServerOf('a.id', 'me')} as "blockedBy",
     a.deactivated_at is null and me.deactivated_at is null as counted,
     a.moved_to_id is not null and not ${FOLLOWS} as moved,
     case when not ${FOLLOWS} then (
       select d.domain from domain_blocks d where d.account_id = me.id and d.domain = any(${serverNames('a')}) limit 1) end
     as "blockedDomain"
   from accounts a join accounts me on me.id = $1 where a.id = $2 and a.deleted_at is null`,
);

// Waits for an account that is being unlocked, and makes the unlocking wait.
const asks = sql<{ locked: boolean }>('follows.asks', `select locked from accounts where id = $1 for share`);

// `xmax` is set on a row that was locked or replaced, so 0 means inserted. The former row is still what a query finds.
const save = sql<{ inserted: boolean; state: number; regainsReblogs: boolean }>(
  'follows.save',
  `insert into follows as f (follower_id, followee_id, state, reblogs, notify, uri, languages, counted)
   values ($1, $2, $3, coalesce($4, true), coalesce($5, false), $6, nullif($8::text[], '{}'), $9)
   on conflict (follower_id, followee_id)
     do update set reblogs = coalesce($4, f.reblogs), notify = coalesce($5, f.notify),
       languages = nullif(coalesce($8::text[], f.languages), '{}'),
       uri = case when $7::boolean then $6 else f.uri end
   returning xmax = 0 as inserted, f.state, f.reblogs and coalesce((
     select not former.reblogs from follows former where former.follower_id = $1 and former.followee_id = $2), false)
     as "regainsReblogs"`,
);

// Index: follows_pair.
const followersAmong = sql<{ id: string }>(
  'follows.followers_among',
  `select f.follower_id as id from follows f where f.followee_id = $1 and f.follower_id = any($2) and ${isAccepted('f')}`,
);

const stopNotifying = sql(
  'follows.stop_notifying',
  `update follows set notify = false where follower_id = $1 and followee_id = $2 and notify`,
);

const accept = sql<AcceptedFollow>(
  'follows.accept',
  `update follows f set ${ACCEPTED}, counted = ${NEITHER_DEACTIVATED} from accounts follower, accounts followee
   where f.follower_id = $1 and f.followee_id = $2 and ${isPending('f')}
     and follower.id = f.follower_id and followee.id = f.followee_id
   returning f.counted, f.uri, follower.domain is null as "localFollower", followee.domain is null as "localFollowee"`,
);

// Index: follows_requests.
const acceptWaiting = sql<AcceptedRequest>(
  'follows.accept_waiting',
  `update follows f set ${ACCEPTED}, counted = ${NEITHER_DEACTIVATED} from accounts follower, accounts followee
   where f.id = any(array(
       select w.id from follows w where w.followee_id = $1 and ${isPending('w')}
         and exists (select from accounts a where a.id = $1 and not a.locked and a.deactivated_at is null)
       order by w.id limit $2 for update))
     and follower.id = f.follower_id and followee.id = f.followee_id
   returning f.follower_id as "followerId", f.counted, follower.domain is null as "localFollower", f.uri`,
);

const end = sql<EndedFollow>(
  'follows.end',
  `delete from follows where follower_id = $1 and followee_id = $2 returning ${ENDED}`,
);

const endRequest = sql<EndedFollow>(
  'follows.end_request',
  `delete from follows where follower_id = $1 and followee_id = $2 and ${isPending('follows')} returning ${ENDED}`,
);

/** Ends several follows. Locks them in the order of their ids, so that two statements that share some cannot deadlock (threat D2). */
export const endThose = (name: string, ids: string) =>
  sql<EndedFollow>(
    name,
    `delete from follows where id in (select o.id from follows o where o.id in (${ids}) order by o.id for update)
     returning ${ENDED}`,
  );

const endBoth = endThose(
  'follows.end_both',
  `select f.id from follows f where (f.follower_id, f.followee_id) in (($1, $2), ($2, $1))`,
);

// Only of a deleted account. Index: follows_pair, follows_followers, follows_requests.
const endSome = endThose(
  'follows.end_some',
  `select of_both.id from (
     (select f.id from follows f where f.follower_id = $1 limit $2)
     union all (select f.id from follows f where f.followee_id = $1 and ${isAccepted('f')} limit $2)
     union all (select f.id from follows f where f.followee_id = $1 and ${isPending('f')} limit $2)) of_both
   where ${isDeleted('$1')}`,
);

// Locks the states that it reads: a later change of one waits, and its own job finds what this one wrote. Nothing is left
// to do for a deleted account: its follows end. Index: follows_following, follows_followers.
const recount = (side: 'follower' | 'followee') =>
  sql<RecountedFollow>(
    `follows.recount_${side}`,
    `with wrong as materialized (
       select f.id, ${NEITHER_DEACTIVATED} as counted from follows f
         join accounts follower on follower.id = f.follower_id join accounts followee on followee.id = f.followee_id
       where f.${side}_id = $1 and ${isAccepted('f')} and f.id > $2::bigint and f.counted <> ${NEITHER_DEACTIVATED}
         and ${side}.deleted_at is null
       order by f.id limit $3 for update of f for share of follower, followee)
     update follows f set counted = wrong.counted from wrong where f.id = wrong.id
     returning ${columns(Follow, 'f', ['id', 'followerId', 'followeeId', 'counted'])}`,
  );

const recounts = { follower: recount('follower'), followee: recount('followee') };

// Index: follows_uri.
const byUri = sql<FollowPair>('follows.by_uri', `select ${PAIR} from follows where uri = $1 limit 1`);

// Index: follows_followers.
const locallyFollowed = sql<{ id: string }>(
  'follows.locally_followed',
  `select id from unnest($1::text[]) as wanted(id) where exists (
     select from follows f join accounts a on a.id = f.follower_id
     where f.followee_id = wanted.id and ${isAccepted('f')} and a.domain is null)`,
);

// Index: follows_followers, accounts_moved, accounts_pkey.
const movableFollowers = sql<MovableFollow>(
  'follows.movable_followers',
  `select ${columns(Follow, 'f', ['id', 'followerId', 'reblogs', 'notify', 'languages'])}
   from follows f join users u on u.account_id = f.follower_id
   where f.followee_id = $1 and f.id > $2::bigint and ${isAccepted('f')} and not f.remote_follower and u.allow_following_move
     and exists (select from accounts moved join accounts target on target.id = moved.moved_to_id
       where moved.id = $1 and target.id = $4 and target.deactivated_at is null)
   order by f.id limit $3`,
);

// Also for a request that waits: the rows end with it.
const copyListMember = sql(
  'follows.copy_list_member',
  `insert into list_members (list_id, account_id, follow_id)
   select m.list_id, f.followee_id, f.id from list_members m join lists l on l.id = m.list_id
     join follows f on f.follower_id = $1 and f.followee_id = $3
   where l.account_id = $1 and m.account_id = $2 on conflict do nothing`,
);

// Index: follows_followers, follows_requests.
const localFollowers = sql<LocalFollower>(
  'follows.local_followers',
  `select a.id, a.ap_id as uri, ${isAccepted('f')} as accepted from follows f join accounts a on a.id = f.follower_id
   where f.followee_id = $1 and (${isAccepted('f')} or ${isPending('f')}) and a.domain is null`,
);

/** All writes on `follows`. Index of statements that name none: follows_pair. */
@Injectable()
export class FollowRepository {
  private readonly followed = new Batches<string, boolean>(async (accountIds) => {
    const rows = await this.db.rows(locallyFollowed, [unique(accountIds)]);
    return accountIds.map((accountId) => rows.some(({ id }) => id === accountId));
  });

  constructor(private readonly db: Database) {}

  /** Locks follows and blocks between two accounts for the open unit. */
  async lockPair(one: string, other: string): Promise<void> {
    await this.db.rows(lockPair, [one, other]);
  }

  /** Undefined where one of the two is gone, or the followee deleted. */
  facts(followerId: string, followeeId: string): Promise<FollowFacts | undefined> {
    return this.db.first(facts, [followerId, followeeId]);
  }

  /** Whether an account requires follow requests; locked until the unit ends. */
  async asksForRequests(accountId: string): Promise<boolean> {
    return (await this.db.first(asks, [accountId]))?.locked === true;
  }

  /**
   * Creates a follow, or changes the given options of an existing one; a remote follower's latest Follow activity
   * replaces an earlier one. Returns whether it is new, whether it is accepted, and whether it wants boosts again.
   */
  async save(
    followerId: string,
    followeeId: string,
    state: number,
    options: FollowOptions,
    { uri, replaces, counted }: { readonly uri: string | null; readonly replaces: boolean; readonly counted: boolean },
  ): Promise<{ isNew: boolean; isAccepted: boolean; regainsReblogs: boolean }> {
    const row = await this.db.first(save, [
      followerId,
      followeeId,
      state,
      options.reblogs ?? null,
      options.notify ?? null,
      uri,
      replaces,
      options.languages ?? null,
      counted,
    ]);
    const isAccepted = row?.state === FOLLOW_ACCEPTED;
    return { isNew: row?.inserted === true, isAccepted, regainsReblogs: row?.regainsReblogs === true };
  }

  async stopNotifying(followerId: string, followeeId: string): Promise<void> {
    await this.db.run(stopNotifying, [followerId, followeeId]);
  }

  /** Accepts a waiting follow; undefined when there is none. */
  accept(followerId: string, followeeId: string): Promise<AcceptedFollow | undefined> {
    return this.db.first(accept, [followerId, followeeId]);
  }

  /** Accepts up to `limit` waiting follows, oldest first, unless the account is locked or deactivated. */
  acceptWaiting(followeeId: string, limit: number): Promise<AcceptedRequest[]> {
    return this.db.rows(acceptWaiting, [followeeId, limit]);
  }

  /** Those of these accounts that follow the account. */
  async followersAmong(followeeId: string, accountIds: readonly string[]): Promise<string[]> {
    const rows = await this.db.rows(followersAmong, [followeeId, accountIds]);
    return rows.map(({ id }) => id);
  }

  /** Corrects `counted` of up to `limit` accepted follows after an id; returns those it changed. */
  recount(side: 'follower' | 'followee', accountId: string, after: string, limit: number): Promise<RecountedFollow[]> {
    return this.db.rows(recounts[side], [accountId, after, limit]);
  }

  byUri(uri: string): Promise<FollowPair | undefined> {
    return this.db.first(byUri, [uri]);
  }

  /** Outside a unit of work. */
  hasLocalFollowers(accountId: string): Promise<boolean> {
    return this.followed.add(accountId);
  }

  /**
   * The follows of local followers after an id that may be moved to another account, also of deactivated ones; none when the
   * account moved elsewhere since, or the other one is deactivated.
   */
  movableFollowers(accountId: string, targetId: string, after: string, limit: number): Promise<MovableFollow[]> {
    return this.db.rows(movableFollowers, [accountId, after, limit, targetId]);
  }

  /** Puts a followee of the owner on the lists that another account is on. */
  async copyListMember(ownerId: string, accountId: string, copyId: string): Promise<void> {
    await this.db.run(copyListMember, [ownerId, accountId, copyId]);
  }

  /** The local followers of an account, with those who wait for its consent. */
  localFollowers(accountId: string): Promise<LocalFollower[]> {
    return this.db.rows(localFollowers, [accountId]);
  }

  end(followerId: string, followeeId: string): Promise<EndedFollow[]> {
    return this.db.rows(end, [followerId, followeeId]);
  }

  /** Ends a follow only while it waits. */
  endRequest(followerId: string, followeeId: string): Promise<EndedFollow[]> {
    return this.db.rows(endRequest, [followerId, followeeId]);
  }

  /** Ends follows and requests of a deleted account in both directions, at most three times `limit`. */
  endSome(accountId: string, limit: number): Promise<EndedFollow[]> {
    return this.db.rows(endSome, [accountId, limit]);
  }

  /** Ends the follows in both directions. */
  endBoth(one: string, other: string): Promise<EndedFollow[]> {
    return this.db.rows(endBoth, [one, other]);
  }
}
