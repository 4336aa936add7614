import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFound, translateUniqueViolation } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import {
  Brand,
  entryLimit,
  ENV,
  type Env,
  Events,
  firstFlakeAt,
  FlakeIds,
  generateActorKey,
  hashPassword,
  knownUrl,
  needsRehash,
  passwordProblem,
  type ReadCache,
  ReadCaches,
  sealSecret,
  SECRET_KEY,
  UnitOfWork,
  verifyPassword,
} from '../../platform/index.js';
import type { NotificationSettings } from '../model/account.entities.js';
import { AccountRepository } from '../model/account.repository.js';
import type { AccountRow } from '../model/account.rows.js';
import type { DefaultScope, QuotePolicyName } from '../model/account.shape.js';
import { relationsOf } from '../model/subjects.js';
import {
  AccountActivated,
  AccountCreated,
  AccountDeactivated,
  AccountUpdated,
  RolesChanged,
  UserReturned,
} from '../model/accounts.events.js';
import { ArrivalsService } from './arrivals.service.js';
import { LastAdminService } from './last-admin.service.js';
import { displayNameOf, ProfileText } from './profile-text.js';
import { type NewUserOptions, type NewUserRules, requireEmail, requireValidUser, UserRefused } from './new-user.js';
import { type LoginRow, type RoleChanges, type UserStateRow, UserRepository } from './user.repository.js';

/** Whether a user may sign in, and the reason if not. */
export type LoginState = 'ok' | 'deactivated' | 'reset_required' | 'unconfirmed' | 'unapproved';

/** The user that a login and a password belong to. */
export interface LoginResult {
  readonly accountId: string;
  readonly state: LoginState;
  /** The hash of the checked password; see {@link UsersService.lockPassword}. */
  readonly passwordHash: string;
}

export interface UserFacts {
  readonly email: string | null;
  /** The language of mails; null without a choice. */
  readonly locale: string | null;
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
  readonly state: LoginState;
  /** True after the confirmation of the e-mail address, or when none was required. */
  readonly confirmed: boolean;
  /** False while the staff is still to approve. */
  readonly approved: boolean;
  /** Whether the account is visible: not deactivated, confirmed and approved. */
  readonly active: boolean;
}

/** The base addresses of local accounts. Remote servers know an account by its first address for good. */
export interface BaseAddresses {
  /** `BASE_URL` when the first user was created. */
  readonly first: string;
  /** `BASE_URL` when the newest user was created. */
  readonly newest: string;
  /** `BASE_URL` now. */
  readonly configured: string;
}

/** The user's defaults for posts, and whether new posts notify. */
export interface PostingDefaults {
  readonly scope: DefaultScope;
  /** Who may quote the posts. */
  readonly quotePolicy: QuotePolicyName;
  readonly sensitive: boolean;
  readonly language: string | null;
  /** Whether the user wants posts without formatting. */
  readonly noRichText: boolean;
  /** The moderation tags of the account. */
  readonly tags: readonly string[];
  /** Whether an account wants notifications of the user's posts. */
  readonly hasSubscribers: boolean;
}

const HOUR_MS = 3_600_000;
const REMEMBERED = { ...entryLimit(10_000), ttl: HOUR_MS };
/** Posts that are fanned out during the return must lie below the new floor of the feed. */
const FLOOR_LEAD_MS = 60_000;
const DEFAULTS_BYTES = 1024 * 1024;

/** Local users: registration, passwords, roles and states (spec §3.2, §3.3). */
@Injectable()
export class UsersService {
  private readonly recentlyActive = new LRUCache<string, Promise<void>>(REMEMBERED);
  private readonly postingDefaults: ReadCache<PostingDefaults>;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly uow: UnitOfWork,
    private readonly ids: FlakeIds,
    private readonly events: Events,
    private readonly settings: Settings,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly text: ProfileText,
    private readonly keeper: LastAdminService,
    private readonly arrivals: ArrivalsService,
    caches: ReadCaches,
  ) {
    this.postingDefaults = caches.create('posting_defaults', DEFAULTS_BYTES, ({ tags }) => tags.join().length);
  }

  /** Whether there is any user yet. */
  exist(): Promise<boolean> {
    return this.users.any();
  }

  /** The base addresses of users, then and now; undefined before there is a user. */
  async baseAddresses(): Promise<BaseAddresses | undefined> {
    const { first, newest } = (await this.users.outermostActors()) ?? {};
    if (!first || !newest) return undefined;
    return { first: knownUrl(first).origin, newest: knownUrl(newest).origin, configured: this.env.baseUrl };
  }

  /** @throws UserRefused naming the fields that break a rule; only {@link create} finds those that are taken */
  requireValid(options: NewUserOptions): void {
    requireValidUser(options, this.rules());
  }

  /**
   * Creates a local account with its log-in and key pair, in some 100 ms. When `alongside`, in its unit, throws, there is none.
   * @throws UserRefused naming the fields that break a rule or are taken
   */
  async create(options: NewUserOptions, alongside?: () => Promise<void>): Promise<AccountRow> {
    this.requireValid(options);
    const id = this.ids.next();
    const { nickname, displayName = '', bio = '', birthday = null, email, locale, reason = '' } = options;
    const { isAdmin = false, isConfirmed = true, isApproved = true } = options;
    const [passwordHash, key, noteHtml] = await Promise.all([
      hashPassword(options.password),
      generateActorKey(),
      this.text.bioHtml(bio),
    ]);
    const texts = { displayName: displayNameOf(displayName), noteHtml, noteSource: bio };
    const account = { id, nickname, ...texts, birthday, ...this.addresses(nickname) };
    const privateSealed = sealSecret(this.secretKey, key.privatePem, `actor-key:${id}`);
    const roles = { isAdmin, isConfirmed, isApproved };
    const person = { accountId: id, email: email ?? null, passwordHash, ...roles, locale: locale ?? null, reason };
    await this.uow.run(async () => {
      if (!(await this.accounts.insertLocal(account))) throw taken('nickname');
      if (!(await this.users.insert({ ...person, publicPem: key.publicPem, privateSealed }))) throw taken('email');
      await alongside?.();
      this.events.emit(new AccountCreated(id, true));
      await this.arrivals.begin(id, null);
    });
    return this.account(id);
  }

  /** The account that a nickname or an e-mail address belongs to. */
  async idOfLogin(login: string): Promise<string | undefined> {
    return (await this.userOf(login))?.accountId;
  }

  /** Whether a notice of guessed passwords is due. If so it is recorded, and the next one is due after a day. */
  claimGuessingNotice(accountId: string): Promise<boolean> {
    return this.users.claimGuessingNotice(accountId);
  }

  /**
   * The user with a nickname or an e-mail address and a password; undefined when they do not match. Does the same work
   * for unknown names (threat O12). Only `PasswordCheckService`, which counts wrong passwords, calls this.
   */
  async verifyPassword(login: string, password: string): Promise<LoginResult | undefined> {
    const user = await this.userOf(login);
    const fits = await verifyPassword(password, user?.passwordHash);
    if (!user || !fits) return undefined;
    const passwordHash = needsRehash(user.passwordHash) ? await this.rehash(user, password) : user.passwordHash;
    if (passwordHash === undefined) return this.verifyPassword(login, password);
    return { accountId: user.accountId, state: stateOf(user), passwordHash };
  }

  /**
   * Whether a checked password is still the user's; locks it until the open unit of work ends. A token for a password
   * is issued in that unit, or it would outlive a change of the password (threat O10).
   */
  lockPassword({ accountId, passwordHash }: LoginResult): Promise<boolean> {
    return this.users.lockHash(accountId, passwordHash);
  }

  /** Locks the user until the open unit of work ends: for what a change of the password or address ends (threats O10, O25). */
  lock(accountId: string): Promise<void> {
    return this.users.lock(accountId);
  }

  /** Like {@link lock}, and waits for all others that have locked the user: for what ends the work of these. */
  lockAlone(accountId: string): Promise<void> {
    return this.users.lockAlone(accountId);
  }

  /**
   * Changes the password, which also ends a required reset. The caller ends the sign-ins.
   * @throws UserRefused for a password that is too short or too long, NotFound for no user
   */
  async setPassword(accountId: string, password: string): Promise<void> {
    const problem = passwordProblem(password);
    if (problem !== undefined) throw new UserRefused({ password: [problem] });
    const found = await this.users.setPassword(accountId, await hashPassword(password));
    if (!found) throw new NotFound();
  }

  /**
   * Refuses the user's sign-ins and tokens until the password is changed (spec §3.2). With `isGiven`, an administrator chose
   * the present one, and a sign-in with it leads to the form for another; otherwise a stranger may know it.
   * @throws NotFound for no user
   */
  async requirePasswordReset(accountId: string, isGiven = false): Promise<void> {
    if (!(await this.users.requirePasswordReset(accountId, isGiven))) throw new NotFound();
  }

  /** Whether an administrator gave the user the password, and it was not changed since. */
  hasGivenPassword(accountId: string): Promise<boolean> {
    return this.users.hasGivenPassword(accountId);
  }

  /**
   * Changes the user's e-mail address; null removes it.
   * @throws UserRefused for an address that is invalid or another user's
   */
  async setEmail(accountId: string, email: string | null): Promise<void> {
    requireEmail(email);
    const isFree = await translateUniqueViolation(this.users.setEmail(accountId, email), () => taken('email'));
    if (!isFree) throw taken('email');
  }

  /** Stops mails of a kind to the user, or has them sent again. */
  async muteMails(accountId: string, kind: string, isMuted: boolean): Promise<void> {
    await this.users.muteMails(accountId, kind, isMuted);
  }

  /** The user's notification settings. Throws NotFound for no user. */
  async notificationSettings(accountId: string): Promise<NotificationSettings> {
    const settings = await this.users.notificationSettings(accountId);
    if (!settings) throw new NotFound();
    return settings;
  }

  /** Changes the user's notification settings (spec §4.2); absent ones stay. Throws NotFound for no user. */
  async changeNotificationSettings(accountId: string, changes: Partial<NotificationSettings>): Promise<void> {
    if (!(await this.users.changeNotificationSettings(accountId, changes))) throw new NotFound();
  }

  /**
   * Changes roles; undefined ones stay.
   * @throws NotFound for no user, Forbidden if the only administrator would lose the role
   */
  async setRole(accountId: string, roles: RoleChanges): Promise<void> {
    await this.uow.run(async () => {
      if (roles.isAdmin === false) await this.keeper.requireAnother(accountId, 'lose the role');
      if (!(await this.users.setRole(accountId, roles))) throw new NotFound();
      await this.accounts.touchVersion(accountId);
      this.events.emit(new AccountUpdated(accountId, true));
      this.events.emit(new RolesChanged(accountId)); // the trigger `users_access_changed` ends sign-ins in memory (ADR 24)
    });
  }

  /**
   * Activates or deactivates a local or remote account (spec §3.2). Nothing happens when it is in that state already. An
   * activation locks the user before the account, as a confirmation does.
   * @throws NotFound for no account, Forbidden if the only administrator would be deactivated
   */
  async setActive(accountId: string, active: boolean): Promise<void> {
    await this.uow.run(async () => {
      const { domain } = await this.account(accountId);
      if (active) await this.users.lockAlone(accountId);
      else if (domain === null) await this.keeper.requireAnother(accountId, 'be deactivated');
      if (!(await this.accounts.setDeactivated(accountId, !active))) return;
      // Besides the subscribers of the events (counters, public contact, profile, follows, scheduled posts, polls) the column itself has effects:
      // - queries leave out the account and its posts by it, and of its acts only those that end something or stood before are sent (`outbox.repository.ts`);
      // - the trigger `accounts_access_changed` ends sign-ins that servers keep in memory (ADR 24), and the one of
      //   `ChangeReports` the pages, entries and accounts (ADR 25);
      // - the `SessionReaper` of each process closes its streams within seconds, by its tokens.
      this.events.emit(new (active ? AccountActivated : AccountDeactivated)(accountId, domain === null));
      if (active) await this.arrivals.resume(accountId);
    });
  }

  /** The unconfirmed user with a nickname or an e-mail address; undefined when there is none. */
  async unconfirmed(login: string): Promise<string | undefined> {
    const user = await this.userOf(login);
    return user && !user.isConfirmed && !user.deactivated ? user.accountId : undefined;
  }

  /** Confirms the e-mail address of the user; false when it is not the user's address any more. */
  confirm(accountId: string, email: string): Promise<boolean> {
    return this.uow.run(async () => {
      const found = await this.users.confirm(accountId, email);
      if (found?.isNew) {
        await this.accounts.touchVersion(accountId);
        this.events.emit(new AccountUpdated(accountId, true, true));
        await this.arrivals.begin(accountId, 'confirmed');
      }
      return found !== undefined;
    });
  }

  /** Throws NotFound for no user. */
  async facts(accountId: string): Promise<UserFacts> {
    const row = await this.users.facts(accountId);
    if (!row) throw new NotFound();
    const active = !row.deactivated && row.isConfirmed && row.isApproved;
    const { email, locale, isAdmin, isModerator } = row;
    const { isConfirmed: confirmed, isApproved: approved } = row;
    return { email, locale, isAdmin, isModerator, state: stateOf(row), confirmed, approved, active };
  }

  /** The user's defaults for posts. Throws NotFound for no user. */
  async defaults(accountId: string): Promise<PostingDefaults> {
    const defaults = await this.postingDefaults.find(accountId, async () => {
      const value = await this.users.postingDefaults(accountId);
      return value && { value, subjects: [relationsOf(accountId)] };
    });
    if (!defaults) throw new NotFound();
    return defaults;
  }

  /**
   * Stores the user's activity, at most hourly. After more than 30 days away the feed is out of date: its floor is
   * raised above everything, and `UserReturned` has it rebuilt. Concurrent requests wait for that.
   */
  touchActivity(accountId: string): Promise<void> {
    const known = this.recentlyActive.get(accountId);
    if (known) return known;
    const noted = this.uow.outside(() => this.noteActivity(accountId));
    this.recentlyActive.set(accountId, noted);
    noted.catch(() => this.recentlyActive.delete(accountId));
    return noted;
  }

  private userOf(login: string): Promise<LoginRow | undefined> {
    return login.includes('@') ? this.users.loginByEmail(login) : this.users.loginByNickname(login);
  }

  private noteActivity(accountId: string): Promise<void> {
    return this.uow.run(async () => {
      const noted = await this.users.touchActivity(accountId, firstFlakeAt(Date.now() + FLOOR_LEAD_MS));
      if (noted?.returned) this.events.emit(new UserReturned(accountId));
    });
  }

  /** Undefined when the hash changed meanwhile: another sign-in renewed it, or the password was changed. */
  private async rehash(user: LoginRow, password: string): Promise<string | undefined> {
    const better = await hashPassword(password);
    return (await this.users.replaceHash(user.accountId, user.passwordHash, better)) ? better : undefined;
  }

  private async account(id: string): Promise<AccountRow> {
    const row = await this.accounts.byId(id);
    if (!row) throw new NotFound();
    return row;
  }

  private addresses(nickname: string): { apId: string; sharedInboxUrl: string } {
    const { baseUrl } = this.env;
    return { apId: `${baseUrl}/users/${nickname}`, sharedInboxUrl: `${baseUrl}/inbox` };
  }

  private rules(): NewUserRules {
    const names = [...this.settings.get('user.restricted_nicknames'), this.brand.word];
    return {
      reservedNames: new Set(names.map((name) => name.toLowerCase())),
      nameLength: this.settings.get('instance.user_name_length'),
      bioLength: this.settings.get('instance.user_bio_length'),
      reasonLength: this.settings.get('instance.registration_reason_length'),
    };
  }
}

function taken(field: string): UserRefused {
  return new UserRefused({ [field]: ['has already been taken'] });
}

function stateOf(user: UserStateRow): LoginState {
  if (user.deactivated) return 'deactivated';
  if (user.passwordResetRequired) return 'reset_required';
  if (!user.isConfirmed) return 'unconfirmed';
  return user.isApproved ? 'ok' : 'unapproved';
}
