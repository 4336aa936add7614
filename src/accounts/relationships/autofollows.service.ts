import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Subscribes } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { UserArrived } from '../model/accounts.events.js';
import { FollowsService } from './follows.service.js';

/** Follows between new accounts and those that an operator names. */
@Injectable()
export class AutofollowsService {
  constructor(
    private readonly settings: Settings,
    private readonly accounts: AccountRepository,
    private readonly follows: FollowsService,
  ) {}

  /**
   * Makes a new account follow the accounts of `instance.autofollowed_nicknames`, and those of `autofollowing_nicknames`
   * follow it.
   */
  @Subscribes(UserArrived, { job: 'accounts.autofollow', queue: 'notify' })
  async makeFollows({ accountId }: UserArrived): Promise<void> {
    for (const id of await this.findByNicknames('instance.autofollowed_nicknames')) await this.follow(accountId, id);
    for (const id of await this.findByNicknames('instance.autofollowing_nicknames')) await this.follow(id, accountId);
  }

  private async findByNicknames(path: `instance.${'autofollowed' | 'autofollowing'}_nicknames`): Promise<string[]> {
    const nicknames = this.settings.get(path);
    if (nicknames.length === 0) return [];
    const rows = await this.accounts.byHandles(nicknames.map((username) => ({ username, domain: undefined })));
    return rows.map(({ id }) => id);
  }

  /** Skips a follow that is refused: of oneself, of a deleted account, by a block or a moderation tag. */
  private async follow(followerId: string, followeeId: string): Promise<void> {
    try {
      await this.follows.follow(followerId, followeeId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
