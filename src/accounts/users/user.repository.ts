import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, type QueryDeepPartialEntity, Raw } from 'typeorm';
import { columns, Database, sql, UnitOfWork } from '../../platform/index.js';
import { type NotificationSettings, User } from '../model/account.entities.js';
import type { DefaultScope, QuotePolicyName } from '../model/account.shape.js';
import { isAccepted } from '../model/relations.sql.js';

/** The state that decides whether a user may sign in. */
export interface UserStateRow {
  readonly passwordResetRequired: boolean;
  readonly isConfirmed: boolean;
  readonly isApproved: boolean;
  readonly deactivated: boolean;
}

/** The columns that a log-in reads. */
export interface LoginRow extends UserStateRow {
  readonly accountId: string;
  readonly passwordHash: string;
}

export interface NewUser {
  readonly accountId: string;
  readonly email: string | null;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
  readonly isConfirmed: boolean;
  readonly isApproved: boolean;
  readonly locale: string | null;
  readonly reason: string;
  readonly publicPem: string;
  readonly privateSealed: Buffer;
}

/** Columns of a user that its owner may set. */
export type UserChanges = Partial<
  Pick<
    User,
    | 'defaultScope'
    | 'defaultQuotePolicy'
    | 'defaultSensitive'
    | 'defaultLanguage'
    | 'noRichText'
    | 'allowFollowingMove'
    | 'locale'
  >
>;

export interface RoleChanges {
  readonly isAdmin?: boolean | undefined;
  readonly isModerator?: boolean | undefined;
}

export interface UserFactsRow extends UserStateRow {
  readonly email: string | null;
  readonly locale: string | null;
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
}

/** The actor ids of two users; null before there is any. */
export interface OutermostActors {
  readonly first: string | null;
  readonly newest: string | null;
}

export interface PostingDefaultsRow {
  readonly noRichText: boolean;
  readonly scope: DefaultScope;
  readonly quotePolicy: QuotePolicyName;
  readonly sensitive: boolean;
  readonly language: string | null;
  /** The moderation tags of the account. */
  readonly tags: readonly string[];
  /** Whether an account wants notifications of the user's posts. */
  readonly hasSubscribers: boolean;
}

/** The size of a user's whole settings store, as text. */
const MAX_STORE_BYTES = 1_048_576;

const stateColumns = `u.password_reset_required as "passwordResetRequired", u.is_confirmed as "isConfirmed",
  u.is_approved as "isApproved", a.deactivated_at is not null as deactivated`;
const loginColumns = `u.account_id as "accountId", u.password_hash as "passwordHash", ${stateColumns}`;

// Index: accounts_handle.
const loginByNickname = sql<LoginRow>(
  'users.login_by_nickname',
  `select ${loginColumns} from accounts a join users u on u.account_id = a.id
   where lower(a.nickname) = lower($1) and coalesce(a.domain, '') = ''`,
);

// Index: users_email.
const loginByEmail = sql<LoginRow>(
  'users.login_by_email',
  `select ${loginColumns} from users u join accounts a on a.id = u.account_id where lower(u.email) = lower($1)`,
);

const insert = sql(
  'users.insert',
  `with person as (
     insert into users (account_id, email, password_hash, is_admin, is_confirmed, is_approved, locale, registration_reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (lower(email)) do nothing returning account_id)
   insert into keys (account_id, public_pem, private_sealed) select account_id, $9, $10 from person`,
);

const facts = sql<UserFactsRow>(
  'users.facts',
  `select ${columns(User, 'u', ['email', 'locale', 'isAdmin', 'isModerator'])}, ${stateColumns}
   from users u join accounts a on a.id = u.account_id where u.account_id = $1`,
);

// Takes the locks in a statement of its own: the next statement then reads the rows as they are after the wait, also those
// of `accounts`.
const lockAdmins = sql('users.lock_admins', `select from users where is_admin order by account_id for update`);

const activeAdmins = sql<{ accountId: string }>(
  'users.active_admins',
  `select u.account_id as "accountId" from users u join accounts a on a.id = u.account_id
   where u.is_admin and u.is_confirmed and u.is_approved and a.deactivated_at is null`,
);

// Index: follows_notified.
const postingDefaults = sql<PostingDefaultsRow>(
  'users.posting_defaults',
  `select default_scope as scope, default_quote_policy as "quotePolicy", default_sensitive as sensitive,
     default_language as language, no_rich_text as "noRichText",
     (select a.tags from accounts a where a.id = $1) as tags,
     exists (select from follows where followee_id = $1 and notify and ${isAccepted('follows')}) as "hasSubscribers"
   from users where account_id = $1`,
);

const settingsOf = sql<{ settings: unknown }>(
  'users.settings_of',
  `select settings_store -> $2::text as settings from users where account_id = $1`,
);

const lockSettings = sql<{ settings: unknown }>(
  'users.lock_settings',
  `select settings_store -> $2::text as settings from users where account_id = $1 for update`,
);

// `$2` is the feed floor of a user that was away for too long: no posts were added to the feed meanwhile.
const touchActivity = sql<{ returned: boolean }>(
  'users.touch_activity',
  `with seen as (
     select account_id, last_active_at < now() - interval '30 days' as returned from users
     where account_id = $1 and last_active_at < now() - interval '1 hour' for update)
   update users u set last_active_at = now(), feed_floor = case when seen.returned then greatest(u.feed_floor, $2) else u.feed_floor end
   from seen where u.account_id = seen.account_id returning seen.returned`,
);

const outermost = (which: 'min' | 'max') =>
  `(select ap_id from accounts where id = (select ${which}(account_id) from users))`;

const outermostActors = sql<OutermostActors>(
  'users.outermost_actors',
  `select ${outermost('min')} as first, ${outermost('max')} as newest`,
);

const changeNotificationSettings = sql(
  'users.change_notification_settings',
  `update users set notification_settings = notification_settings || $2::jsonb where account_id = $1`,
);

const lock = sql('users.lock', `select from users where account_id = $1 for share`);

const lockAlone = sql('users.lock_alone', `select from users where account_id = $1 for update`);

const lockHash = sql('users.lock_hash', `select from users where account_id = $1 and password_hash = $2 for share`);

const muteMails = sql(
  'users.mute_mails',
  `update users set muted_mails = array_remove(muted_mails, $2) || case when $3::boolean then array[$2] else '{}' end
   where account_id = $1`,
);

const setEmail = sql(
  'users.set_email',
  `update users set email = $2 where account_id = $1
     and not exists (select from users where lower(email) = lower($2) and account_id <> $1)`,
);

const confirm = sql<{ isNew: boolean }>(
  'users.confirm',
  `with known as (
     select account_id, is_confirmed from users where account_id = $1 and lower(email) = lower($2) for update),
   changed as (
     update users set is_confirmed = true from known
     where users.account_id = known.account_id and not known.is_confirmed)
   select not is_confirmed as "isNew" from known`,
);

const setRole = sql(
  'users.set_role',
  `update users set is_admin = coalesce($2, is_admin), is_moderator = coalesce($3, is_moderator) where account_id = $1`,
);

const mergeSettings = sql(
  'users.merge_settings',
  `update users set settings_store = settings_store || $2::jsonb
   where account_id = $1 and octet_length((settings_store || $2::jsonb)::text) <= $3`,
);

/** All SQL on `users` and `keys`; the feed floor has a repository of its own. */
@Injectable()
export class UserRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Whether there is any user. */
  any(): Promise<boolean> {
    return this.uow.manager.exists(User);
  }

  /** The actor ids of the first and the newest user; null before there is any. Index: users_pkey. */
  outermostActors(): Promise<OutermostActors | undefined> {
    return this.db.first(outermostActors);
  }

  loginByNickname(nickname: string): Promise<LoginRow | undefined> {
    return this.db.first(loginByNickname, [nickname]);
  }

  loginByEmail(email: string): Promise<LoginRow | undefined> {
    return this.db.first(loginByEmail, [email]);
  }

  /** Inserts a user with its key; false when the e-mail address is taken. */
  async insert(user: NewUser): Promise<boolean> {
    const inserted = await this.db.run(insert, [
      user.accountId,
      user.email,
      user.passwordHash,
      user.isAdmin,
      user.isConfirmed,
      user.isApproved,
      user.locale,
      user.reason,
      user.publicPem,
      user.privateSealed,
    ]);
    return inserted === 1;
  }

  facts(accountId: string): Promise<UserFactsRow | undefined> {
    return this.db.first(facts, [accountId]);
  }

  /**
   * Locks the administrators, and returns the active ones: none is deactivated, deleted or loses the role until the unit
   * ends. Index: users_staff.
   */
  async lockAdmins(): Promise<string[]> {
    await this.db.run(lockAdmins);
    return (await this.db.rows(activeAdmins)).map((row) => row.accountId);
  }

  postingDefaults(accountId: string): Promise<PostingDefaultsRow | undefined> {
    return this.db.first(postingDefaults, [accountId]);
  }

  /** Stores activity, unless the last hour has some. Undefined when nothing was stored. */
  touchActivity(accountId: string, newFloor: string): Promise<{ returned: boolean } | undefined> {
    return this.db.first(touchActivity, [accountId, newFloor]);
  }

  /** Returns whether there is such a user. */
  update(accountId: string, changes: UserChanges): Promise<boolean> {
    return this.change({ accountId }, changes);
  }

  async notificationSettings(accountId: string): Promise<NotificationSettings | undefined> {
    const select = { notificationSettings: true } as const;
    return (await this.uow.manager.findOne(User, { select, where: { accountId } }))?.notificationSettings;
  }

  /** Changes the given settings; returns whether there is such a user. */
  async changeNotificationSettings(accountId: string, changes: Partial<NotificationSettings>): Promise<boolean> {
    return (await this.db.run(changeNotificationSettings, [accountId, JSON.stringify(changes)])) === 1;
  }

  /** Returns whether there is such a user. */
  setPassword(accountId: string, passwordHash: string): Promise<boolean> {
    return this.change({ accountId }, { passwordHash, passwordResetRequired: false, passwordIsGiven: false });
  }

  /** Refuses the user's sign-ins until the password is changed; false when there is no such user. */
  requirePasswordReset(accountId: string, passwordIsGiven: boolean): Promise<boolean> {
    return this.change({ accountId }, { passwordResetRequired: true, passwordIsGiven });
  }

  /** Whether an administrator chose the user's password. */
  hasGivenPassword(accountId: string): Promise<boolean> {
    return this.uow.manager.existsBy(User, { accountId, passwordIsGiven: true });
  }

  /** Records a notice of guessed passwords; false when there was one within a day. */
  claimGuessingNotice(accountId: string): Promise<boolean> {
    const guessingNotifiedAt = Raw((at) => `(${at} is null or ${at} < now() - interval '1 day')`);
    return this.change({ accountId, guessingNotifiedAt }, { guessingNotifiedAt: () => 'now()' });
  }

  /** Locks the user against changes until the unit ends. */
  async lock(accountId: string): Promise<void> {
    await this.db.run(lock, [accountId]);
  }

  /** Like {@link lock}, and waits for all others that have locked the user. */
  async lockAlone(accountId: string): Promise<void> {
    await this.db.run(lockAlone, [accountId]);
  }

  /** Whether a hash is the user's; locks it until the unit ends. */
  async lockHash(accountId: string, passwordHash: string): Promise<boolean> {
    return (await this.db.run(lockHash, [accountId, passwordHash])) === 1;
  }

  /** Replaces a hash by a better one of the same password; false when it changed meanwhile. */
  replaceHash(accountId: string, known: string, better: string): Promise<boolean> {
    return this.change({ accountId, passwordHash: known }, { passwordHash: better });
  }

  /** Stops mails of a kind, or has them sent again. */
  async muteMails(accountId: string, kind: string, isMuted: boolean): Promise<void> {
    await this.db.run(muteMails, [accountId, kind, isMuted]);
  }

  /** Sets or removes the user's address; false when another user has it. Fails when another unit stores it at this moment. */
  async setEmail(accountId: string, email: string | null): Promise<boolean> {
    return (await this.db.run(setEmail, [accountId, email])) === 1;
  }

  /**
   * Confirms the user's address; undefined when the user has another one. `is_new` is false when it was confirmed
   * before.
   */
  confirm(accountId: string, email: string): Promise<{ isNew: boolean } | undefined> {
    return this.db.first(confirm, [accountId, email]);
  }

  /** Returns whether there is such a user. */
  async setRole(accountId: string, { isAdmin, isModerator }: RoleChanges): Promise<boolean> {
    return (await this.db.run(setRole, [accountId, isAdmin ?? null, isModerator ?? null])) === 1;
  }

  /** Replaces the objects of the given names in the settings store; false when it would grow too large. */
  async mergeSettings(accountId: string, entries: Readonly<Record<string, unknown>>): Promise<boolean> {
    return (await this.db.run(mergeSettings, [accountId, JSON.stringify(entries), MAX_STORE_BYTES])) === 1;
  }

  /** The object of a name in the settings store; undefined when there is none. */
  async settingsOf(accountId: string, name: string): Promise<unknown> {
    return (await this.db.first(settingsOf, [accountId, name]))?.settings;
  }

  /** Like {@link settingsOf}, and locks the store until the unit ends. */
  async lockSettings(accountId: string, name: string): Promise<unknown> {
    return (await this.db.first(lockSettings, [accountId, name]))?.settings;
  }

  /** Returns whether a user met the condition. */
  private async change(condition: FindOptionsWhere<User>, changes: QueryDeepPartialEntity<User>): Promise<boolean> {
    return (await this.uow.manager.update(User, condition, changes)).affected === 1;
  }
}
