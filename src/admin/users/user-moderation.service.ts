import { Injectable } from '@nestjs/common';
import {
  acctOf,
  type ModeratedAccount,
  ModeratedAccountsService,
  SuggestionsService,
  UserAdmissionService,
  UsersService,
} from '../../accounts/index.js';
import { ConfirmationsService } from '../../oauth/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { LogSubject } from '../log/moderation-log.entity.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { type Actor, ModerationLogService } from '../log/moderation-log.service.js';

type Change = (account: ModeratedAccount) => Promise<unknown>;

/**
 * What administrators do with accounts, local and remote. Each call is one unit of work: all accounts are changed and one
 * entry is in the moderation log, or nothing is.
 */
@Injectable()
export class UserModerationService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
    private readonly accounts: ModeratedAccountsService,
    private readonly users: UsersService,
    private readonly admission: UserAdmissionService,
    private readonly suggestions: SuggestionsService,
    private readonly confirmations: ConfirmationsService,
  ) {}

  /** @throws NotFound for an unknown nickname, Forbidden for the only administrator */
  setActive(actor: Actor, nicknames: readonly string[], active: boolean): Promise<ModeratedAccount[]> {
    const action = active ? 'activate' : 'deactivate';
    return this.act(actor, action, nicknames, ({ id }) => this.users.setActive(id, active));
  }

  /** Activates a deactivated account, and the other way round. */
  async toggle(actor: Actor, nickname: string): Promise<ModeratedAccount> {
    const { is_deactivated: active } = await this.accounts.one(nickname);
    await this.setActive(actor, [nickname], active);
    return this.accounts.one(nickname);
  }

  approve(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.act(actor, 'approve', nicknames, ({ id }) => this.admission.approve(id));
  }

  confirm(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.act(actor, 'confirm_email', nicknames, ({ id }) => this.admission.confirm(id));
  }

  /** Sends the letter to those who have not confirmed their address. */
  resendConfirmation(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.act(actor, 'resend_confirmation_email', nicknames, async ({ nickname, domain }) => {
      if (domain === null) await this.confirmations.resend(nickname);
    });
  }

  setSuggested(actor: Actor, nicknames: readonly string[], suggested: boolean): Promise<ModeratedAccount[]> {
    const action = suggested ? 'add_suggestion' : 'remove_suggestion';
    return this.act(actor, action, nicknames, ({ id }) =>
      suggested ? this.suggestions.suggest(id) : this.suggestions.unsuggest(id),
    );
  }

  /** Changes each account, writes the entry, and returns the accounts as they are then. */
  private act(
    actor: Actor,
    action: ModerationAction,
    nicknames: readonly string[],
    change: Change,
    data: Readonly<Record<string, unknown>> = {},
  ): Promise<ModeratedAccount[]> {
    return this.uow.run(async () => {
      const accounts = await this.accounts.all(nicknames);
      for (const account of accounts) await change(account);
      await this.log.record(actor, action, accounts.map(subjectOf), data);
      const changed = new Map((await this.accounts.byIds(accounts.map(({ id }) => id))).map((row) => [row.id, row]));
      return accounts.map((account) => changed.get(account.id) ?? account);
    });
  }
}

/** An account in the log. */
export function subjectOf({ id, nickname, domain }: Pick<ModeratedAccount, 'id' | 'nickname' | 'domain'>): LogSubject {
  return { type: 'user', id, nickname: acctOf(nickname, domain) };
}
