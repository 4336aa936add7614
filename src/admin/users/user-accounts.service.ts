import { Injectable } from '@nestjs/common';
import {
  AccountDeletionService,
  acctOf,
  FollowsService,
  type ModeratedAccount,
  ModeratedAccountsService,
  UserRefused,
  UsersService,
} from '../../accounts/index.js';
import { Conflict, ignoreNotFound, Invalid, joined, type Reason } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';
import { subjectOf, UserActs } from './user-acts.js';

export interface WantedUser {
  readonly nickname: string;
  readonly email: string;
  readonly password: string;
}

/** The result for one of the users to create. */
export interface CreatedUser {
  readonly type: 'success' | 'error';
  readonly code: 200 | 409;
  readonly data: Pick<WantedUser, 'nickname' | 'email'>;
  /** Empty for one that failed only because another did. */
  readonly error?: string;
}

/** The beginning and the end of accounts, and follows on behalf of accounts. */
@Injectable()
export class UserAccountsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
    private readonly acts: UserActs,
    private readonly accounts: ModeratedAccountsService,
    private readonly users: UsersService,
    private readonly deletion: AccountDeletionService,
    private readonly follows: FollowsService,
  ) {}

  /**
   * Creates local accounts, confirmed and approved: all, or none.
   * @throws Conflict whose body has a result for each of them
   */
  async create(actor: Actor, wanted: readonly WantedUser[]): Promise<CreatedUser[]> {
    if (wanted.length === 0) throw new Invalid('users is missing');
    return this.uow.run(async () => {
      const refusals: (Reason | undefined)[] = [];
      const created = [];
      for (const user of wanted) {
        const account = await this.users.create(user).catch(refusalOf);
        refusals.push(account instanceof UserRefused ? account.reason : undefined);
        if (!(account instanceof UserRefused)) created.push(account);
      }
      if (created.length < wanted.length) {
        const results = wanted.map((user, at) => resultOf(user, String(refusals[at] ?? '')));
        throw new Conflict(joined(refusals.filter((reason) => reason !== undefined))).answer(results);
      }
      await this.log.record(actor, 'create', created.map(subjectOf));
      return wanted.map((user) => resultOf(user));
    });
  }

  /**
   * Deletes accounts for good; jobs remove what they had here.
   * @throws Forbidden for the only administrator
   */
  delete(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.acts.run(actor, 'delete', nicknames, ({ id, domain }) =>
      domain === null ? this.deletion.delete(id) : this.deletion.deleteRemote(id, { byStaff: true }),
    );
  }

  /**
   * Makes a local account follow another, or end that. Nothing happens if one of them is unknown.
   * @throws Forbidden when either blocks the other, Invalid for oneself
   */
  async setFollow(actor: Actor, follower: string, followed: string, on: boolean): Promise<void> {
    const [who, whom] = await Promise.all([follower, followed].map((name) => this.known(name)));
    if (who?.domain !== null || !whom) return;
    const change = () => (on ? this.follows.follow(who.id, whom.id) : this.follows.unfollow(who.id, whom.id));
    const data = { follower: `@${acctOf(who.nickname, who.domain)}` };
    await this.acts.run(actor, on ? 'follow' : 'unfollow', [acctOf(whom.nickname, whom.domain)], change, data);
  }

  private known(nickname: string): Promise<ModeratedAccount | undefined> {
    return this.accounts.one(nickname).catch(ignoreNotFound);
  }
}

function refusalOf(error: unknown): UserRefused {
  if (!(error instanceof UserRefused)) throw error;
  return error;
}

function resultOf({ nickname, email }: WantedUser, error?: string): CreatedUser {
  const data = { nickname, email };
  return error === undefined ? { type: 'success', code: 200, data } : { type: 'error', code: 409, error, data };
}
