import { Injectable } from '@nestjs/common';
import { acctOf, type ModeratedAccount, ModeratedAccountsService } from '../../accounts/index.js';
import type { Actor } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { LogSubject } from '../log/moderation-log.entity.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

type Change = (account: ModeratedAccount) => Promise<unknown>;

/** Runs what an administrator does with accounts: one unit of work, and one entry in the moderation log. */
@Injectable()
export class UserActs {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
    private readonly accounts: ModeratedAccountsService,
  ) {}

  /**
   * Changes each account, local or remote, writes the entry, and returns the accounts as they are then; those that are
   * deleted by it as they were.
   * @throws Invalid for no nickname at all, NotFound if one of them is unknown
   */
  run(
    actor: Actor,
    action: ModerationAction,
    nicknames: readonly string[],
    change: Change,
    data: Readonly<Record<string, unknown>> = {},
  ): Promise<ModeratedAccount[]> {
    const work = async () => {
      const accounts = await this.accounts.all(nicknames);
      for (const account of accounts) await change(account);
      await this.log.record(actor, action, accounts.map(subjectOf), data);
      const changed = new Map((await this.accounts.byIds(accounts.map(({ id }) => id))).map((row) => [row.id, row]));
      return accounts.map((account) => changed.get(account.id) ?? account);
    };
    // Runs again when a change stores a value that another act takes at this moment, such as an address: then it is refused.
    return this.uow.run(work, { findsTaken: true });
  }
}

/** An account in the log. */
export function subjectOf({ id, nickname, domain }: Pick<ModeratedAccount, 'id' | 'nickname' | 'domain'>): LogSubject {
  return { type: 'user', id, nickname: acctOf(nickname, domain) };
}
