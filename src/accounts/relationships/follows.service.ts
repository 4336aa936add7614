import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  activityUri,
  DomainError,
  Forbidden,
  Invalid,
  NotFound,
  phrase,
  translateForeignKeyViolation,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env, Events, highestId, Subscribes, UnitOfWork, walkSlices } from '../../platform/index.js';
import { AccountCounters } from '../counters/account-counters.js';
import {
  AccountActivated,
  AccountDeactivated,
  AccountUnlocked,
  Followed,
  FollowRequested,
  ReblogsWanted,
  Unfollowed,
} from '../model/accounts.events.js';
import {
  type AcceptedFollow,
  type EndedFollow,
  type FollowFacts,
  type FollowOptions,
  type FollowPair,
  FollowRepository,
  type LocalFollower,
  type MovableFollow,
} from './follow.repository.js';
import { SERVER_FOLLOWS, type ServerFollows, ServerFollowsRepository } from './server-follows.repository.js';
import { refusesFollower } from '../model/restrictions.js';
import { isLocal, LOCAL, type Origin } from '../model/origin.js';
import { FOLLOW_ACCEPTED, FOLLOW_PENDING } from '../model/relationship.entities.js';

/** Requests that one unit of work accepts. */
const BATCH = 100;

/** Follows of which one unit of work ends those with a server. */
const READ_AT_ONCE = 500;

/** The result of {@link FollowsService.follow}. */
interface FollowResult {
  readonly accepted: boolean;
  readonly changed: boolean;
  /** Whether the account decides on requests. */
  readonly isLocked: boolean;
}

/** Follows between accounts (spec §3.6). */
@Injectable()
export class FollowsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly follows: FollowRepository,
    private readonly serverFollows: ServerFollowsRepository,
    private readonly counters: AccountCounters,
    private readonly events: Events,
    private readonly settings: Settings,
  ) {}

  /**
   * Follows an account. An unlocked local account accepts at once, also a request from when it was locked; all others
   * are asked. Following again changes only the given options. Returns whether the follow is accepted, whether this
   * call changed that, and whether the account decides on requests.
   * @throws NotFound for an account that is gone or deleted, Invalid for oneself, Forbidden when either blocks the other, by a moderation tag of the account, and when it is
   * one of this server that moved
   */
  async follow(
    followerId: string,
    followeeId: string,
    options: FollowOptions = {},
    origin: Origin = LOCAL,
  ): Promise<FollowResult> {
    if (followerId === followeeId) throw new Invalid('Can not follow yourself');
    const unit = this.uow.run(async () => {
      const [, facts] = await Promise.all([
        this.follows.lockPair(followerId, followeeId),
        this.follows.facts(followerId, followeeId),
      ]);
      if (!facts) throw new NotFound();
      this.requireNoBlock(facts);
      const accepted = facts.localFollowee && !(facts.locked && (await this.follows.asksForRequests(followeeId)));
      const state = accepted ? FOLLOW_ACCEPTED : FOLLOW_PENDING;
      const uri = this.followUri(facts, origin);
      const { isNew, isAccepted, regainsReblogs } = await this.follows.save(followerId, followeeId, state, options, {
        uri,
        replaces: !isLocal(origin),
        counted: facts.counted,
      });
      const request = !isNew && accepted ? await this.follows.accept(followerId, followeeId) : undefined;
      const changed = isNew || request !== undefined;
      if (changed) this.begun(followerId, followeeId, { ...facts, ...request, uri }, accepted);
      if (regainsReblogs) this.events.emit(new ReblogsWanted(followerId, followeeId));
      return { accepted: isAccepted || request !== undefined, changed, isLocked: facts.locked };
    });
    return translateForeignKeyViolation(unit);
  }

  /** Stops notifications of new posts. Nothing happens when there is no follow. */
  async stopNotifying(followerId: string, followeeId: string): Promise<void> {
    await this.follows.stopNotifying(followerId, followeeId);
  }

  /** Ends a follow or a request; returns whether there was one. Throws Invalid for oneself. */
  async unfollow(followerId: string, followeeId: string): Promise<boolean> {
    if (followerId === followeeId) throw new Invalid('Can not unfollow yourself');
    return this.uow.run(async () => {
      const ended = await this.follows.end(followerId, followeeId);
      this.ended(ended, followerId);
      return ended.length > 0;
    });
  }

  /** Removes a follower or a request. Nothing happens when there is none. Throws Invalid for oneself. */
  async removeFollower(ownerId: string, followerId: string): Promise<void> {
    if (ownerId === followerId) throw new Invalid('Can not unfollow yourself');
    await this.uow.run(async () => {
      this.ended(await this.follows.end(followerId, ownerId), ownerId);
    });
  }

  /**
   * Ends the follows and requests between an account and a domain that it blocks, in several units of work, without rests:
   * the account waits for it. Safe to run twice.
   */
  async endWithServer(ownerId: string, domain: string): Promise<void> {
    for (const kind of SERVER_FOLLOWS) {
      const step = (after: string) => this.endSomeWithServer(kind, ownerId, domain, after);
      await walkSlices(this.serverFollows.firstOf(kind), step, { rests: false });
    }
  }

  private endSomeWithServer(kind: ServerFollows, ownerId: string, domain: string, after: string) {
    return this.uow.run(async () => {
      const follows = await this.serverFollows.next(kind, ownerId, domain, after, READ_AT_ONCE);
      const ids = follows.filter((follow) => follow.isOfServer).map(({ id }) => id);
      if (ids.length > 0) this.ended(await this.serverFollows.end(ownerId, domain, ids), ownerId);
      return follows.length < READ_AT_ONCE ? undefined : follows.at(-1)?.cursor;
    });
  }

  /**
   * Ends all follows and requests of a deleted account in both directions, on its behalf, or `byOthers` on behalf of the other sides.
   * Several units of work; safe to run twice.
   */
  async endAll(accountId: string, byOthers = false): Promise<void> {
    for (let ended = BATCH; ended > 0;) {
      ended = await this.uow.run(async () => {
        const follows = await this.follows.endSome(accountId, BATCH);
        for (const follow of follows) {
          const other = follow.followerId === accountId ? follow.followeeId : follow.followerId;
          this.ended([follow], byOthers ? other : accountId);
        }
        return follows.length;
      });
    }
  }

  /**
   * Takes the follows by and of a deactivated account out of the counters, or puts them back. Once more for those that were
   * not committed by then. Several units of work; safe to run twice.
   */
  @Subscribes(AccountDeactivated, { job: 'accounts.uncount-follows', queue: 'maintenance' })
  @Subscribes(AccountActivated, { job: 'accounts.count-follows', queue: 'maintenance' })
  @Subscribes(AccountDeactivated, { job: 'accounts.uncount-late-follows', queue: 'maintenance', afterMinutes: 60 })
  @Subscribes(AccountActivated, { job: 'accounts.count-late-follows', queue: 'maintenance', afterMinutes: 60 })
  async recount({ accountId }: Pick<AccountDeactivated, 'accountId'>): Promise<void> {
    for (const side of ['follower', 'followee'] as const)
      await walkSlices('0', (after) => this.recountSome(side, accountId, after));
  }

  private recountSome(side: 'follower' | 'followee', accountId: string, after: string): Promise<string | undefined> {
    return this.uow.run(async () => {
      const follows = await this.follows.recount(side, accountId, after, BATCH);
      for (const { followerId, followeeId, counted } of follows) this.count(followerId, followeeId, counted ? 1 : -1);
      return follows.length < BATCH ? undefined : highestId(follows.map(({ id }) => id));
    });
  }

  /** Accepts a waiting request. Throws NotFound when there is none. */
  async accept(followeeId: string, followerId: string): Promise<void> {
    await this.uow.run(async () => {
      const accepted = await this.follows.accept(followerId, followeeId);
      if (!accepted) throw new NotFound();
      this.begun(followerId, followeeId, accepted, true);
    });
  }

  /** Those of these accounts that follow the account. */
  followersAmong(accountId: string, accountIds: readonly string[]): Promise<string[]> {
    return this.follows.followersAmong(accountId, accountIds);
  }

  /** A follow by the id of its Follow activity. */
  findByUri(uri: string): Promise<FollowPair | undefined> {
    return this.follows.byUri(uri);
  }

  /** The accounts of this server that follow the account, and those that asked to. */
  localFollowers(accountId: string): Promise<LocalFollower[]> {
    return this.follows.localFollowers(accountId);
  }

  /** Whether an account of this server follows the account. */
  hasLocalFollowers(accountId: string): Promise<boolean> {
    return this.follows.hasLocalFollowers(accountId);
  }

  /**
   * Moves the local followers of an account that allow it to its new account, in batches. Safe to run twice. The Follow of a
   * deactivated one is sent when it is activated.
   */
  async moveFollowers(accountId: string, targetId: string): Promise<void> {
    for (let after = '0'; ;) {
      const follows = await this.follows.movableFollowers(accountId, targetId, after, BATCH);
      for (const follow of follows) await this.moveFollower(follow, accountId, targetId);
      const last = follows.at(-1);
      if (last === undefined || follows.length < BATCH) return;
      after = last.id;
    }
  }

  /**
   * A follower who cannot follow the new account, such as one that it blocks, keeps the old one. The places on
   * lists go over, and the options of the follow unless the follower follows the new account already.
   */
  private async moveFollower(
    { followerId, reblogs, notify, languages }: MovableFollow,
    accountId: string,
    targetId: string,
  ): Promise<void> {
    if (followerId === targetId) return;
    try {
      await this.uow.run(async () => {
        const { changed } = await this.follow(followerId, targetId);
        const options = { reblogs, notify, languages: languages ?? undefined };
        if (changed && (!reblogs || notify || languages)) await this.follow(followerId, targetId, options);
        await this.follows.copyListMember(followerId, accountId, targetId);
        await this.unfollow(followerId, accountId);
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** Accepts all waiting requests of an account that was unlocked, in batches; of a deactivated one once it is activated. */
  @Subscribes(AccountUnlocked, { job: 'accounts.accept-waiting', queue: 'maintenance' })
  @Subscribes(AccountActivated, { job: 'accounts.accept-late', queue: 'maintenance', when: ({ local }) => local })
  async acceptAllWaiting({ accountId }: Pick<AccountUnlocked, 'accountId'>): Promise<void> {
    for (let accepted = BATCH; accepted === BATCH;) accepted = await this.acceptWaiting(accountId);
  }

  /** Rejects a waiting request. Throws NotFound when there is none. */
  async reject(followeeId: string, followerId: string): Promise<void> {
    await this.uow.run(async () => {
      const ended = await this.follows.endRequest(followerId, followeeId);
      if (ended.length === 0) throw new NotFound();
      this.ended(ended, followeeId);
    });
  }

  /**
   * Ends the follows in both directions on behalf of `accountId`. Inside a unit of work that holds the lock of the
   * pair.
   */
  async sever(accountId: string, otherId: string): Promise<void> {
    this.ended(await this.follows.endBoth(accountId, otherId), accountId);
  }

  /** Locks follows and blocks between two accounts for the open unit. */
  lockPair(one: string, other: string): Promise<void> {
    return this.follows.lockPair(one, other);
  }

  private acceptWaiting(followeeId: string): Promise<number> {
    return this.uow.run(async () => {
      const accepted = await this.follows.acceptWaiting(followeeId, BATCH);
      for (const { followerId, ...follow } of accepted) {
        this.begun(followerId, followeeId, { ...follow, localFollowee: true }, true);
      }
      return accepted.length;
    });
  }

  /** The id of the Follow activity; local accounts need none between them. */
  private followUri({ localFollower, localFollowee }: FollowFacts, origin: Origin): string | null {
    if (origin.kind === 'remote') return origin.uri;
    return localFollower && !localFollowee ? activityUri(this.env.baseUrl, randomUUID()) : null;
  }

  private requireNoBlock(facts: FollowFacts): void {
    const { nickname, blocked, blockedBy, blockedDomain, localFollowee } = facts;
    if (refusesFollower(facts.tags, facts.localFollower))
      throw new Forbidden(phrase('Could not follow user: {name} takes no new followers.', { name: nickname }));
    if (facts.moved && localFollowee)
      throw new Forbidden(phrase('Could not follow user: {name} has moved.', { name: nickname }));
    if (blockedDomain !== null)
      throw new Forbidden(phrase('Could not follow user: you have blocked {name}.', { name: blockedDomain }));
    if (blocked) throw new Forbidden(phrase('Could not follow user: you have blocked {name}.', { name: nickname }));
    const mayAsk = !localFollowee && !this.settings.get('user.deny_follow_blocked');
    if (blockedBy && !mayAsk)
      throw new Forbidden(phrase('Could not follow user: {name} blocked you.', { name: nickname }));
  }

  private begun(
    followerId: string,
    followeeId: string,
    { counted, localFollower, localFollowee, uri }: AcceptedFollow,
    accepted: boolean,
  ): void {
    if (accepted && counted) this.count(followerId, followeeId, 1);
    if (!accepted && localFollowee) this.events.emit(new FollowRequested(followerId, followeeId, localFollower));
    this.events.emit(new Followed(followerId, followeeId, localFollower, localFollowee, accepted, uri));
  }

  private ended(follows: readonly EndedFollow[], endedBy: string): void {
    for (const { followerId, followeeId, state, counted, uri, localFollower, localFollowee } of follows) {
      const accepted = state === FOLLOW_ACCEPTED;
      if (accepted && counted) this.count(followerId, followeeId, -1);
      const side = endedBy === followerId ? 'follower' : 'followee';
      this.events.emit(new Unfollowed(followerId, followeeId, side, localFollower, localFollowee, uri, accepted));
    }
  }

  private count(followerId: string, followeeId: string, delta: 1 | -1): void {
    this.counters.add(followerId, 'following', delta);
    this.counters.add(followeeId, 'followers', delta);
  }
}
