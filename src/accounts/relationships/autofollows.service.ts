import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { FollowsService } from './follows.service.js';

/** Follows between new accounts and those that an operator names. */
@Injectable()
export class AutofollowsService {
  constructor(
    private readonly settings: Settings,
    private readonly accounts: AccountRepository,
    private readonly follows: FollowsService,
  ) {}

  /** Makes a new account follow those of `instance.autofollowed_nicknames`, and those of `autofollowing_nicknames` it. */
  async welcome(accountId: string): Promise<void> {
    for (const id of await this.named('instance.autofollowed_nicknames')) await this.follow(accountId, id);
    for (const id of await this.named('instance.autofollowing_nicknames')) await this.follow(id, accountId);
  }

  private async named(path: `instance.${'autofollowed' | 'autofollowing'}_nicknames`): Promise<string[]> {
    const nicknames = this.settings.get(path);
    if (nicknames.length === 0) return [];
    const rows = await this.accounts.byHandles(nicknames.map((username) => ({ username, domain: undefined })));
    return rows.map(({ id }) => id);
  }

  /** Either may be gone, be the other, or refuse followers. */
  private async follow(followerId: string, followeeId: string): Promise<void> {
    try {
      await this.follows.follow(followerId, followeeId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
