import { Injectable } from '@nestjs/common';
import {
  AccountPicturesService,
  type Credentials,
  type ModeratedAccount,
  ModeratedAccountsService,
  type ProfileChanges,
  ProfileService,
  UsersService,
} from '../../accounts/index.js';
import { FieldProblems, FieldsRefused, Invalid, joined, NotFound } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import {
  ConfirmationsService,
  MfaService,
  PasswordResetsService,
  PasswordsService,
  type ResetLink,
} from '../../sign-in/index.js';
import { BackupsService } from '../../portability/index.js';
import { UserActs } from './user-acts.js';

/** Changes of a user; undefined keeps the value. */
export interface CredentialChanges {
  readonly email: string | null | undefined;
  readonly password: string | undefined;
  readonly profile: ProfileChanges;
  /** The names of what is changed, for the log. */
  readonly names: readonly string[];
  /** The fields with a word that is none of the known ones. */
  readonly unknown: readonly string[];
}

/** Fields of a profile that this form calls by other names. */
const NAMES: Readonly<Record<string, string>> = {
  display_name: 'name',
  note: 'bio',
  fields_attributes: 'fields',
  header: 'banner',
  svc_background_image: 'background',
};

/** How local users sign in, and what they set for themselves. Accounts of other servers count as unknown. */
@Injectable()
export class UserAccessService {
  constructor(
    private readonly acts: UserActs,
    private readonly accounts: ModeratedAccountsService,
    private readonly users: UsersService,
    private readonly profiles: ProfileService,
    private readonly pictures: AccountPicturesService,
    private readonly passwords: PasswordsService,
    private readonly resets: PasswordResetsService,
    private readonly confirmations: ConfirmationsService,
    private readonly mfa: MfaService,
    private readonly backups: BackupsService,
  ) {}

  /** A link for a new password, valid once and for a day. */
  async resetLink(actor: Actor, nickname: string): Promise<ResetLink> {
    let link: ResetLink | undefined;
    await this.run(actor, 'password_reset', [nickname], async ({ id }) => (link = await this.resets.link(id)));
    if (!link) throw new NotFound('Not found');
    return link;
  }

  /**
   * Refuses sign-ins and tokens of the users until they have changed their passwords. An address that a stranger asked for
   * cannot be confirmed any more: letters for a new password would go there.
   */
  async forceReset(actor: Actor, nicknames: readonly string[]): Promise<void> {
    await this.run(actor, 'force_password_reset', nicknames, async ({ id }) => {
      await this.users.requirePasswordReset(id);
      await this.confirmations.forget(id);
    });
  }

  /** Removes the second factor, if there is one. */
  async disableMfa(actor: Actor, nickname: string): Promise<void> {
    await this.run(actor, 'disable_mfa', [nickname], ({ id }) => this.mfa.remove(id));
  }

  /** Orders an archive of the account; the mail about it goes to the member of the staff. */
  async backup(actor: Actor, nickname: string): Promise<void> {
    const order = { byStaff: true, readerId: actor.accountId ?? undefined };
    await this.run(actor, 'create_backup', [nickname], ({ id }) => this.backups.request(id, order));
  }

  /** @throws NotFound for what is no local user */
  credentials(nickname: string): Promise<Credentials> {
    return this.accounts.credentials(nickname);
  }

  /**
   * Changes a user's settings, all or none. Another password ends its sign-ins; the user replaces it at the next one, but
   * not the administrator whose own it is.
   * @throws NotFound for what is no local user, Invalid with a message for each field that is refused
   */
  async change(actor: Actor, nickname: string, changes: CredentialChanges): Promise<void> {
    const { email, password, profile, names, unknown } = changes;
    const { own } = await this.credentials(nickname);
    if (names.length === 0) return;
    // Before the unit of work: its end takes no file back, and no lock waits for a picture to be read.
    const storing = this.pictures.store(own.id, profile.pictures ?? {});
    await Promise.allSettled([storing]);
    const change = async ({ id }: ModeratedAccount) => {
      const problems = new FieldProblems();
      problems.add(Object.fromEntries(unknown.map((field) => [field, ['is invalid']])));
      if (email !== undefined) await problems.check('email', () => this.confirmations.change(id, email));
      if (password !== undefined) await problems.check('password', () => this.give(id, password, actor));
      const stored = await problems.check('pictures', () => storing);
      await this.profiles.update(id, profile, { problems, stored });
    };
    await this.run(actor, 'updated_users', [nickname], change, { fields: names }).catch((error: unknown) => {
      if (!(error instanceof FieldsRefused)) throw error;
      const messages = Object.entries(error.fields).map(
        ([field, texts]) => [NAMES[field] ?? field, joined(texts)] as const,
      );
      throw Invalid.errors(Object.fromEntries(messages));
    });
  }

  private async give(accountId: string, password: string, actor: Actor): Promise<void> {
    await this.passwords.reset(accountId, password);
    if (accountId !== actor.accountId) await this.users.requirePasswordReset(accountId, true);
  }

  private run(...[actor, action, nicknames, change, data]: Parameters<UserActs['run']>): Promise<ModeratedAccount[]> {
    const onlyHere = (account: ModeratedAccount) => {
      if (account.domain !== null) throw new NotFound('Not found');
      return change(account);
    };
    return this.acts.run(actor, action, nicknames, onlyHere, data);
  }
}
