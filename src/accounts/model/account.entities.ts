import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredEmoji } from '../../emoji/index.js';

/** A profile field: `value` is sanitised HTML, `source` what a local owner typed. */
export interface AccountField {
  readonly name: string;
  readonly value: string;
  readonly source?: string;
  /** When the linked page was found to link back. */
  readonly verified_at?: string | null;
}

/** Other addresses of the same account. */
export const MAX_ALIASES = 20;

/** Hosts whose pages may name an account as their author. */
export const MAX_ATTRIBUTION_DOMAINS = 100;
/** The maximum length of such a host, in characters. */
export const MAX_ATTRIBUTION_LENGTH = 300;

/** An account: a local user's public side, or a remote actor (spec §2.1). */
@Entity('accounts')
export class Account {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ type: 'text' })
  nickname: string;

  /** Null for local accounts. */
  @Column({ type: 'text', nullable: true })
  domain: string | null;

  @Column({ type: 'text', name: 'ap_id' })
  apId: string;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ type: 'text', name: 'inbox_url', nullable: true })
  inboxUrl: string | null;

  @Column({ type: 'text', name: 'shared_inbox_url', nullable: true })
  sharedInboxUrl: string | null;

  @Column({ type: 'text', name: 'outbox_url', nullable: true })
  outboxUrl: string | null;

  @Column({ type: 'text', name: 'followers_url', nullable: true })
  followersUrl: string | null;

  @Column({ type: 'text', name: 'following_url', nullable: true })
  followingUrl: string | null;

  @Column({ type: 'text', name: 'featured_url', nullable: true })
  featuredUrl: string | null;

  /** One of `ACTOR_TYPES`. */
  @Column({ type: 'text', name: 'actor_type' })
  actorType: string;

  @Column({ type: 'text', name: 'display_name' })
  displayName: string;

  @Column({ type: 'text', name: 'note_html' })
  noteHtml: string;

  /** The input of a local owner; empty for remote accounts. */
  @Column({ type: 'text', name: 'note_source' })
  noteSource: string;

  @Column({ type: 'jsonb' })
  fields: AccountField[];

  /** The emoji that a remote server sent with the account. */
  @Column({ type: 'jsonb' })
  emojis: StoredEmoji[];

  @Column({ type: 'text', name: 'avatar_url', nullable: true })
  avatarUrl: string | null;

  @Column({ type: 'text', name: 'avatar_description' })
  avatarDescription: string;

  @Column({ type: 'text', name: 'header_url', nullable: true })
  headerUrl: string | null;

  @Column({ type: 'text', name: 'header_description' })
  headerDescription: string;

  @Column({ type: 'text', name: 'background_url', nullable: true })
  backgroundUrl: string | null;

  /** Followers wait for the owner's consent. */
  @Column({ type: 'boolean' })
  locked: boolean;

  /** Whether the server of a remote account says that its owner died. */
  @Column({ type: 'boolean' })
  memorial: boolean;

  /** Whether the server of a remote account says that it serves machines only, as relays do. */
  @Column({ type: 'boolean' })
  invisible: boolean;

  @Column({ type: 'boolean' })
  discoverable: boolean;

  /** False: searches for words find no posts of the account. Null: its owner or its server does not say. */
  @Column({ type: 'boolean', nullable: true })
  indexable: boolean | null;

  /** The hosts whose pages may name the account as their author. */
  @Column({ type: 'text', name: 'attribution_domains', array: true })
  attributionDomains: string[];

  @Column({ type: 'boolean', name: 'hide_followers' })
  hideFollowers: boolean;

  @Column({ type: 'boolean', name: 'hide_follows' })
  hideFollows: boolean;

  @Column({ type: 'boolean', name: 'hide_followers_count' })
  hideFollowersCount: boolean;

  @Column({ type: 'boolean', name: 'hide_follows_count' })
  hideFollowsCount: boolean;

  @Column({ type: 'boolean', name: 'hide_favorites' })
  hideFavorites: boolean;

  @Column({ type: 'boolean', name: 'show_role' })
  showRole: boolean;

  @Column({ type: 'boolean', name: 'skip_thread_containment' })
  skipThreadContainment: boolean;

  /** Null: no choice by a local owner, or not sent by a remote server. */
  @Column({ type: 'boolean', name: 'accepts_chat_messages', nullable: true })
  acceptsChatMessages: boolean | null;

  /** Moderation tags. */
  @Column({ type: 'text', array: true })
  tags: string[];

  @Column({ type: 'text', name: 'also_known_as', array: true })
  alsoKnownAs: string[];

  @Column({ type: 'text', name: 'moved_to_id', collation: 'C', nullable: true })
  movedToId: string | null;

  /** When it last moved. */
  @Column({ type: 'timestamptz', name: 'moved_at', nullable: true })
  movedAt: Date | null;

  /** `YYYY-MM-DD`. */
  @Column({ type: 'date', nullable: true })
  birthday: string | null;

  @Column({ type: 'boolean', name: 'show_birthday' })
  showBirthday: boolean;

  @Column({ type: 'timestamptz', name: 'deactivated_at', nullable: true })
  deactivatedAt: Date | null;

  /** Whether a remote account is deactivated, or deleted, because its own server wants that: it may end that. */
  @Column({ type: 'boolean', name: 'suspended_by_server' })
  suspendedByServer: boolean;

  /** Set for a deleted account, which is always deactivated too; it is deleted for good unless `mayReturn`. */
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** When a remote account was last fetched. */
  @Column({ type: 'timestamptz', name: 'refreshed_at' })
  refreshedAt: Date;

  /** When the server of a remote account described it so; null for local ones, and when that is not known. */
  @Column({ type: 'timestamptz', name: 'described_at', nullable: true })
  describedAt: Date | null;

  /** When a remote account last got another handle. */
  @Column({ type: 'timestamptz', name: 'renamed_at', nullable: true })
  renamedAt: Date | null;

  /** Raised by every write that changes the account's body, and by changes of the user's roles and state. */
  @Column({ type: 'int' })
  version: number;
}

/** An account's counters; they change with every post and follow, so they have a row of their own. */
@Entity('account_stats')
export class AccountStats {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'int', name: 'statuses_count' })
  statusesCount: number;

  @Column({ type: 'int', name: 'followers_count' })
  followersCount: number;

  @Column({ type: 'int', name: 'following_count' })
  followingCount: number;

  @Column({ type: 'timestamptz', name: 'last_status_at', nullable: true })
  lastStatusAt: Date | null;

  /** When the number of posts of a remote account was fetched; null if its server states none. */
  @Column({ type: 'timestamptz', name: 'counts_fetched_at', nullable: true })
  countsFetchedAt: Date | null;
}

/** The log-in of a local account, with data for its owner and the operator only. */
@Entity('users')
export class User {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** Unique without regard to case. */
  @Column({ type: 'text', nullable: true })
  email: string | null;

  @Column({ type: 'text', name: 'password_hash' })
  passwordHash: string;

  @Column({ type: 'boolean', name: 'is_admin' })
  isAdmin: boolean;

  @Column({ type: 'boolean', name: 'is_moderator' })
  isModerator: boolean;

  /** True after the confirmation of the e-mail address, or when none was required. */
  @Column({ type: 'boolean', name: 'is_confirmed' })
  isConfirmed: boolean;

  /** True after the approval by an admin, or when none was required. */
  @Column({ type: 'boolean', name: 'is_approved' })
  isApproved: boolean;

  /** What happened to the user while it was deactivated, `confirmed` or `approved`: it takes effect when it is activated. */
  @Column({ type: 'text', name: 'late_step', nullable: true })
  lateStep: string | null;

  @Column({ type: 'boolean', name: 'password_reset_required' })
  passwordResetRequired: boolean;

  /** Whether an administrator chose the password: the user may replace it, knowing it. */
  @Column({ type: 'boolean', name: 'password_is_given' })
  passwordIsGiven: boolean;

  @Column({ type: 'text', name: 'registration_reason' })
  registrationReason: string;

  /** The language of mails and pages. */
  @Column({ type: 'text', nullable: true })
  locale: string | null;

  @Column({ type: 'text', name: 'default_scope' })
  defaultScope: string;

  /** Who may quote the user's posts, one of {@link QUOTE_POLICIES}. */
  @Column({ type: 'text', name: 'default_quote_policy' })
  defaultQuotePolicy: string;

  @Column({ type: 'boolean', name: 'default_sensitive' })
  defaultSensitive: boolean;

  /** The default language of posts. */
  @Column({ type: 'text', name: 'default_language', nullable: true })
  defaultLanguage: string | null;

  @Column({ type: 'boolean', name: 'no_rich_text' })
  noRichText: boolean;

  @Column({ type: 'boolean', name: 'allow_following_move' })
  allowFollowingMove: boolean;

  /** The settings store: one object for each frontend name. */
  @Column({ type: 'jsonb', name: 'settings_store' })
  settingsStore: Record<string, unknown>;

  @Column({ type: 'jsonb', name: 'notification_settings' })
  notificationSettings: NotificationSettings;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** Written at most hourly. */
  @Column({ type: 'timestamptz', name: 'last_active_at' })
  lastActiveAt: Date;

  /** At or above this id the home feed is complete; owned by timelines. */
  @Column({ type: 'text', name: 'feed_floor', collation: 'C' })
  feedFloor: string;

  /** Bounds how often the home feed is deepened in a day; owned by timelines. */
  @Column({ type: 'timestamptz', name: 'feed_deepened_at', nullable: true })
  feedDeepenedAt: Date | null;

  /** Raised by every write to the user's filters, 0 before the first; owned by timelines. */
  @Column({ type: 'int', name: 'filters_version' })
  filtersVersion: number;

  /** The kinds of mails that the user stopped. */
  @Column({ type: 'text', name: 'muted_mails', array: true, default: '{}' })
  mutedMails: string[];

  /** When the owner was last notified of guessed passwords; owned by sign-in. */
  @Column({ type: 'timestamptz', name: 'guessing_notified_at', nullable: true })
  guessingNotifiedAt: Date | null;
}

/** The `for_` fields are the policy of notifications, owned by notifications. */
export interface NotificationSettings {
  readonly block_from_strangers: boolean;
  readonly hide_notification_contents: boolean;
  readonly for_not_following?: 'accept' | 'filter' | 'drop';
  readonly for_not_followers?: 'accept' | 'filter' | 'drop';
  readonly for_new_accounts?: 'accept' | 'filter' | 'drop';
  readonly for_private_mentions?: 'accept' | 'filter' | 'drop';
  readonly for_limited_accounts?: 'accept' | 'filter' | 'drop';
}

/** The key pair a local account signs with; the private half is sealed for `actor-key:<account id>`. */
@Entity('keys')
export class ActorKey {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'public_pem' })
  publicPem: string;

  @Column({ type: 'bytea', name: 'private_sealed' })
  privateSealed: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
