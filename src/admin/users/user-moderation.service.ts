import { Injectable } from '@nestjs/common';
import {
  type ModeratedAccount,
  ModeratedAccountsService,
  SuggestionsService,
  UserAdmissionService,
  UsersService,
} from '../../accounts/index.js';
import { Conflict, Invalid, phrase } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { ConfirmationsService } from '../../sign-in/index.js';
import { UserActs } from './user-acts.js';

/** The states of accounts, local and remote: all of a call are changed, or none is. */
@Injectable()
export class UserModerationService {
  constructor(
    private readonly acts: UserActs,
    private readonly accounts: ModeratedAccountsService,
    private readonly users: UsersService,
    private readonly admission: UserAdmissionService,
    private readonly suggestions: SuggestionsService,
    private readonly confirmations: ConfirmationsService,
  ) {}

  /** @throws NotFound for an unknown nickname, Forbidden for the only administrator */
  setActive(actor: Actor, nicknames: readonly string[], active: boolean): Promise<ModeratedAccount[]> {
    const action = active ? 'activate' : 'deactivate';
    return this.acts.run(actor, action, nicknames, ({ id }) => this.users.setActive(id, active));
  }

  /** Activates a deactivated account, and the other way round. */
  async toggle(actor: Actor, nickname: string): Promise<ModeratedAccount> {
    const { isDeactivated: active } = await this.accounts.one(nickname);
    await this.setActive(actor, [nickname], active);
    return this.accounts.one(nickname);
  }

  approve(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.acts.run(actor, 'approve', nicknames, ({ id }) => this.admission.approve(id));
  }

  /**
   * Deletes the accounts of users that wait for approval; their nicknames are free again.
   * @throws Conflict for an account that waits for none
   */
  reject(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.acts.run(actor, 'reject', nicknames, async ({ id, nickname }) => {
      if (!(await this.admission.reject(id)))
        throw new Conflict(phrase('{name} does not wait for approval', { name: nickname }));
    });
  }

  confirm(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.acts.run(actor, 'confirm_email', nicknames, ({ id }) => this.admission.confirm(id));
  }

  /** Sends the letter to users without a confirmed address. */
  resendConfirmation(actor: Actor, nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    return this.acts.run(actor, 'resend_confirmation_email', nicknames, async ({ nickname, domain }) => {
      if (domain === null) await this.confirmations.resend(nickname);
    });
  }

  setSuggested(actor: Actor, nicknames: readonly string[], suggested: boolean): Promise<ModeratedAccount[]> {
    const action = suggested ? 'add_suggestion' : 'remove_suggestion';
    return this.acts.run(actor, action, nicknames, ({ id }) =>
      suggested ? this.suggestions.suggest(id) : this.suggestions.unsuggest(id),
    );
  }

  /** Adds tags to accounts, or takes them away. */
  setTags(
    actor: Actor,
    nicknames: readonly string[],
    tags: readonly string[],
    on: boolean,
  ): Promise<ModeratedAccount[]> {
    if (tags.length === 0) throw new Invalid('tags is missing');
    const change = ({ id }: ModeratedAccount) => (on ? this.accounts.tag(id, tags) : this.accounts.untag(id, tags));
    return this.acts.run(actor, on ? 'tag' : 'untag', nicknames, change, { tags });
  }
}
