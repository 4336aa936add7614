import { Json, withoutVouching, withPictures } from '../../common/index.js';
import { type EmojiCache, storedEmoji } from '../../emoji/index.js';
import type { AccountJson, CredentialAccountJson } from '../model/account.shape.js';
import { type AccountCounts, type AccountRow, isActive, isProgram, type OwnRow } from '../model/account.rows.js';
import { privilegesOf } from '../model/privileges.js';
import { acctOf } from '../model/nickname.js';
import { limitsPosts } from '../model/restrictions.js';
import type { UnreadNews } from './owner-counters.port.js';

/** The inputs of an account's body besides its row. */
export interface BodyContext {
  readonly baseUrl: string;
  readonly handleDomain: string;
  /** The address of a stored picture. */
  readonly pictureUrl: (stored: string) => string;
  /** The address of its still version, if there is one. */
  readonly stillUrl: (stored: string) => string;
  /** The custom emoji of this server. */
  readonly emoji: Pick<EmojiCache, 'usedIn'>;
  /** The setting `instance.moderator_privileges`. */
  readonly moderatorPrivileges: readonly string[];
}

type CountField = 'statuses_count' | 'followers_count' | 'following_count' | 'last_status_at';
export type AccountCountsJson = Pick<AccountJson, CountField>;
export type AccountBodyJson = Omit<AccountJson, CountField | 'moved' | 'svc'>;
export type OwnAccountJson = Omit<CredentialAccountJson, 'moved'>;
export type MentionJson = Pick<AccountJson, 'id' | 'username' | 'acct' | 'url'>;
export type AccountExtensionJson = Omit<AccountJson['svc'], 'relationship'>;

/** All tabs of a profile are shown: people cannot hide them here. */
const PROFILE_TABS = { show_media: true, show_media_replies: true, show_featured: true } as const;
/** The id of the reference's role that every user has. */
const EVERYBODY = '-99';

/** What a text that mentions an account says of it (reference StatusMention). */
export function mentionJson(row: Pick<AccountRow, 'id' | 'nickname' | 'domain' | 'url' | 'apId'>): MentionJson {
  return { id: row.id, username: row.nickname, acct: acctOf(row.nickname, row.domain), url: row.url ?? row.apId };
}

/** The account as all viewers see it, without counters, extension and the account it moved to (spec §2.1). */
export function accountBody(row: AccountRow, context: BodyContext): AccountBodyJson {
  return bodyOf(row, context, row.showRole);
}

/** The object `svc` of an account as all viewers see it, without the viewer's relationship. */
export function accountExtension(row: AccountRow, { baseUrl, pictureUrl }: BodyContext): AccountExtensionJson {
  return {
    ap_id: row.apId,
    also_known_as: [...row.alsoKnownAs],
    background_image: row.backgroundUrl && pictureUrl(row.backgroundUrl),
    tags: [...row.tags],
    is_admin: row.showRole ? row.isAdmin : null,
    is_moderator: row.showRole ? row.isModerator : null,
    is_confirmed: row.isConfirmed,
    confirmation_pending: !row.isConfirmed,
    deactivated: row.deactivatedAt !== null,
    hide_favorites: row.hideFavorites,
    hide_followers: row.hideFollowers,
    hide_follows: row.hideFollows,
    hide_followers_count: row.hideFollowersCount,
    hide_follows_count: row.hideFollowsCount,
    skip_thread_containment: row.skipThreadContainment,
    accepts_chat_messages: row.acceptsChatMessages ?? (row.domain === null ? true : null),
    favicon: row.domain === null ? `${baseUrl}/favicon.png` : row.faviconUrl && pictureUrl(row.faviconUrl),
    avatar_description: row.avatarDescription,
    header_description: row.headerDescription,
    ...(row.showBirthday && row.birthday !== null ? { birthday: row.birthday } : {}),
  };
}

/** The counters for the owner (`sees` all) or another viewer. */
export function accountCounts(row: AccountCounts, seesAll: boolean): AccountCountsJson {
  return {
    statuses_count: row.statusesCount,
    followers_count: row.hideFollowersCount && !seesAll ? 0 : row.followersCount,
    following_count: row.hideFollowsCount && !seesAll ? 0 : row.followingCount,
    last_status_at: row.lastStatusAt?.slice(0, 'YYYY-MM-DD'.length) ?? null,
  };
}

/** The owner's fields besides the row. */
export interface OwnExtras {
  readonly settingsStore: boolean;
  readonly chatToken: string | undefined;
  /** Numbers of notifications, conversations and chats that have something unread. */
  readonly unread: UnreadNews & { readonly conversations: number };
}

/** The account as its owner sees it; settings store and chat token only on request. */
export function ownAccount(row: OwnRow, context: BodyContext, extras: OwnExtras): OwnAccountJson {
  const body = bodyOf(row, context, true);
  const { block_from_strangers, hide_notification_contents } = row.notificationSettings;
  return {
    ...body,
    ...accountCounts(row, true),
    follow_requests_count: row.followRequestsCount,
    role: roleOf(row),
    source: {
      ...body.source,
      privacy: row.defaultScope,
      quote_policy: row.defaultQuotePolicy,
      language: row.defaultLanguage,
      follow_requests_count: row.followRequestsCount,
      discoverable: row.discoverable,
      indexable: body.indexable,
      hide_collections: body.hide_collections,
      attribution_domains: [...row.attributionDomains],
      svc: { ...body.source.svc, show_role: row.showRole, no_rich_text: row.noRichText },
    },
    svc: {
      ...accountExtension(row, context),
      is_admin: row.isAdmin,
      is_moderator: row.isModerator,
      privileges: privilegesOf(row, context.moderatorPrivileges),
      ...(row.birthday === null ? {} : { birthday: row.birthday }),
      relationship: {},
      show_birthday: row.showBirthday,
      allow_following_move: row.allowFollowingMove,
      notification_settings: { block_from_strangers, hide_notification_contents },
      unread_conversation_count: extras.unread.conversations,
      unread_notifications_count: extras.unread.notifications,
      unread_chats_count: extras.unread.chats,
      ...(extras.settingsStore ? { settings_store: row.settingsStore } : {}),
      ...(extras.chatToken === undefined ? {} : { chat_token: extras.chatToken }),
    },
  };
}

/** The first member behind those that {@link partialAccount} shows. */
const BEHIND_PARTIAL = ',"username":';

/**
 * What an app needs of a rendered account to show its picture (reference PartialAccountWithAvatar). These are its first
 * members, and no text in them looks like the next one: JSON escapes the quotes in texts.
 */
export function partialAccount(account: Json): Json {
  const bytes = account.toBuffer();
  return Json.join([bytes.subarray(0, bytes.indexOf(BEHIND_PARTIAL)), '}']);
}

/** The default picture. */
export function defaultAvatarUrl(baseUrl: string): string {
  return `${baseUrl}/images/avi.png`;
}

function bodyOf(row: AccountRow, context: BodyContext, showsRoles: boolean): AccountBodyJson {
  const { baseUrl, handleDomain, pictureUrl, stillUrl } = context;
  const avatar = defaultAvatarUrl(baseUrl);
  const header = `${baseUrl}/images/banner.png`;
  const acct = acctOf(row.nickname, row.domain);
  return {
    id: row.id, // these come first: see partialAccount
    acct,
    locked: row.locked,
    bot: isProgram(row),
    url: row.url ?? row.apId,
    avatar: row.avatarUrl === null ? avatar : pictureUrl(row.avatarUrl),
    avatar_static: row.avatarUrl === null ? avatar : stillUrl(row.avatarUrl),
    username: row.nickname, // the member of BEHIND_PARTIAL
    fqn: `${row.nickname}@${row.domain ?? handleDomain}`,
    nickname: acct,
    uri: row.apId,
    display_name: row.displayName || row.nickname,
    note: withPictures(withoutVouching(row.noteHtml), pictureUrl),
    header: row.headerUrl === null ? header : pictureUrl(row.headerUrl),
    header_static: row.headerUrl === null ? header : stillUrl(row.headerUrl),
    avatar_description: row.avatarDescription,
    header_description: row.headerDescription,
    group: row.actorType === 'Group',
    discoverable: row.discoverable,
    noindex: !row.discoverable,
    indexable: isIndexable(row),
    hide_collections: row.hideFollowers && row.hideFollows,
    ...PROFILE_TABS,
    feature_approval: { automatic: [], manual: [], current_user: 'denied' },
    ...restrictionsOf(row),
    memorial: row.memorial,
    local: row.domain === null,
    is_active: isActive(row),
    is_confirmed: row.isConfirmed,
    created_at: row.createdAt,
    emojis: emojisOf(row, context),
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at: verified_at ?? null })),
    source: sourceOf(row),
    roles: { admin: showsRoles && row.isAdmin, moderator: showsRoles && row.isModerator },
  };
}

/** What the staff has done to the account, where it has. */
function restrictionsOf({ deactivatedAt, tags }: AccountRow): Pick<AccountJson, 'suspended' | 'limited'> {
  return { ...(deactivatedAt && { suspended: true }), ...(limitsPosts(tags) && { limited: true }) };
}

/** Local texts use the emoji of this server; remote servers send theirs with the account. */
function emojisOf(row: AccountRow, { emoji, pictureUrl }: BodyContext): AccountJson['emojis'] {
  if (row.domain !== null) return storedEmoji(row.emojis, pictureUrl);
  const html = [row.noteHtml, ...row.fields.map(({ value }) => value)];
  return emoji.usedIn({ plain: [row.displayName, ...row.fields.map(({ name }) => name)], html });
}

function sourceOf(row: AccountRow): AccountJson['source'] {
  return {
    note: row.noteSource,
    fields: row.fields.map(({ name, value, source }) => ({ name, value: source ?? value })),
    sensitive: row.defaultSensitive,
    svc: {
      discoverable: row.discoverable,
      actor_type: row.actorType as AccountJson['source']['svc']['actor_type'],
    },
  };
}

/** True unless the server of the account says otherwise; searches use the same rule. */
function isIndexable({ indexable }: AccountRow): boolean {
  return indexable ?? true;
}

/** The role that the reference shows to its holder. */
function roleOf({ isAdmin, isModerator }: AccountRow): CredentialAccountJson['role'] {
  const name = isAdmin ? 'Admin' : isModerator ? 'Moderator' : '';
  return { id: name.toLowerCase() || EVERYBODY, name, permissions: '0', color: '', highlighted: name !== '' };
}
