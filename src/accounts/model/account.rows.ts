import type { RowOf } from '../../platform/index.js';
import type { Account, AccountStats, NotificationSettings } from './account.entities.js';
import type { DefaultScope, QuotePolicyName } from './account.shape.js';

/** What changes without a new version of an account. `movedToId` is the account that replaces this one; it may be hidden. */
export const ACCOUNT_STATE = ['id', 'version', 'hideFollowersCount', 'hideFollowsCount', 'movedToId'] as const;
export const ACCOUNT_COUNTS = ['statusesCount', 'followersCount', 'followingCount', 'lastStatusAt'] as const;

/** The columns of an account besides its body. */
export interface AccountCounts
  extends RowOf<Account, (typeof ACCOUNT_STATE)[number]>, RowOf<AccountStats, (typeof ACCOUNT_COUNTS)[number]> {}

/** Everything else that is shown of an account. */
export const ACCOUNT_BODY = [
  'nickname',
  'domain',
  'apId',
  'url',
  'inboxUrl',
  'sharedInboxUrl',
  'outboxUrl',
  'followersUrl',
  'followingUrl',
  'featuredUrl',
  'actorType',
  'displayName',
  'noteHtml',
  'noteSource',
  'fields',
  'emojis',
  'avatarUrl',
  'avatarDescription',
  'headerUrl',
  'headerDescription',
  'backgroundUrl',
  'locked',
  'memorial',
  'discoverable',
  'indexable',
  'attributionDomains',
  'hideFollowers',
  'hideFollows',
  'hideFavorites',
  'showRole',
  'skipThreadContainment',
  'acceptsChatMessages',
  'tags',
  'alsoKnownAs',
  'birthday',
  'showBirthday',
  'deactivatedAt',
  'deletedAt',
  'suspendedByServer',
  'createdAt',
  'refreshedAt',
] as const;

/** An account with its counters and, for a local one, the public columns of its user row. */
export interface AccountRow extends AccountCounts, RowOf<Account, (typeof ACCOUNT_BODY)[number]> {
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
  /** True for remote accounts. */
  readonly isConfirmed: boolean;
  /** True for remote accounts. */
  readonly isApproved: boolean;
  readonly defaultSensitive: boolean;
  /** The favicon of a remote account's server. */
  readonly faviconUrl: string | null;
}

/** Whether an account says that it is a program. */
export function isProgram({ actorType: type }: Pick<AccountRow, 'actorType'>): boolean {
  return type === 'Service' || type === 'Application';
}

/** An account with its owner's columns. */
export interface OwnRow extends AccountRow {
  readonly defaultScope: DefaultScope;
  readonly defaultQuotePolicy: QuotePolicyName;
  readonly defaultLanguage: string | null;
  readonly noRichText: boolean;
  readonly allowFollowingMove: boolean;
  readonly settingsStore: Readonly<Record<string, unknown>>;
  readonly notificationSettings: NotificationSettings;
  readonly followRequestsCount: number;
}

/** Much longer than any request that began before a deletion: then what such requests wrote is removed too. */
export const SETTLED_AFTER_MS = 3_600_000;

/** Whether a deleted account of another server may come back: that server deleted it, not the staff here, and not just now. */
export function mayReturn({
  deletedAt,
  suspendedByServer,
}: {
  readonly deletedAt: Date | string | null;
  readonly suspendedByServer: boolean;
}): boolean {
  return suspendedByServer && deletedAt !== null && Date.now() - new Date(deletedAt).getTime() >= SETTLED_AFTER_MS;
}

/** Whether an account is visible at all: not deactivated and, when local, confirmed and approved (spec §3.2). */
export function isActive(row: Pick<AccountRow, 'deactivatedAt' | 'isConfirmed' | 'isApproved'>): boolean {
  return row.deactivatedAt === null && row.isConfirmed && row.isApproved;
}
