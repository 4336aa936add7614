import type { StoredEmoji } from '../../emoji/index.js';
import type { AccountField, NotificationSettings } from './account.entities.js';
import type { DefaultScope, QuotePolicyName } from './account.shape.js';

/** The columns of an account besides its body: they change without a new version. */
export interface AccountCounts {
  readonly id: string;
  readonly version: number;
  readonly statuses_count: number;
  readonly followers_count: number;
  readonly following_count: number;
  readonly last_status_at: string | null;
  readonly hide_followers_count: boolean;
  readonly hide_follows_count: boolean;
  /** The account that replaces this one; it may be hidden. */
  readonly moved_to_id: string | null;
}

/** An account with its counters and, for a local one, the public columns of its user row. */
export interface AccountRow extends AccountCounts {
  readonly nickname: string;
  /** Null for local accounts. */
  readonly domain: string | null;
  readonly ap_id: string;
  readonly url: string | null;
  readonly inbox_url: string | null;
  readonly shared_inbox_url: string | null;
  readonly outbox_url: string | null;
  readonly followers_url: string | null;
  readonly following_url: string | null;
  readonly featured_url: string | null;
  readonly actor_type: string;
  readonly display_name: string;
  readonly note_html: string;
  readonly note_source: string;
  readonly fields: readonly AccountField[];
  readonly emojis: readonly StoredEmoji[];
  readonly avatar_url: string | null;
  readonly avatar_description: string;
  readonly header_url: string | null;
  readonly header_description: string;
  readonly background_url: string | null;
  readonly locked: boolean;
  /** Whether the server of a remote account says that its owner died. */
  readonly memorial: boolean;
  readonly discoverable: boolean;
  readonly indexable: boolean | null;
  readonly attribution_domains: readonly string[];
  readonly hide_followers: boolean;
  readonly hide_follows: boolean;
  readonly hide_favorites: boolean;
  readonly show_role: boolean;
  readonly skip_thread_containment: boolean;
  readonly accepts_chat_messages: boolean | null;
  readonly tags: readonly string[];
  readonly also_known_as: readonly string[];
  readonly birthday: string | null;
  readonly show_birthday: boolean;
  readonly deactivated_at: string | null;
  /** Set for a local account that was deleted: only its names are left. */
  readonly deleted_at: string | null;
  readonly created_at: string;
  readonly refreshed_at: string;
  readonly is_admin: boolean;
  readonly is_moderator: boolean;
  /** True for remote accounts. */
  readonly is_confirmed: boolean;
  /** True for remote accounts. */
  readonly is_approved: boolean;
  readonly default_sensitive: boolean;
  /** The favicon of a remote account's server. */
  readonly favicon_url: string | null;
}

/** Whether an account says that it is a program. */
export function isProgram({ actor_type: type }: Pick<AccountRow, 'actor_type'>): boolean {
  return type === 'Service' || type === 'Application';
}

/** An account with its owner's columns. */
export interface OwnRow extends AccountRow {
  readonly default_scope: DefaultScope;
  readonly default_quote_policy: QuotePolicyName;
  readonly default_language: string | null;
  readonly no_rich_text: boolean;
  readonly allow_following_move: boolean;
  readonly settings_store: Readonly<Record<string, unknown>>;
  readonly notification_settings: NotificationSettings;
  readonly follow_requests_count: number;
}

/** Whether an account is visible at all: not deactivated and, when local, confirmed and approved (spec §3.2). */
export function isActive(row: Pick<AccountRow, 'deactivated_at' | 'is_confirmed' | 'is_approved'>): boolean {
  return row.deactivated_at === null && row.is_confirmed && row.is_approved;
}
