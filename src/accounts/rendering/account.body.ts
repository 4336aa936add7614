import { withoutVouching, withPictures } from '../../common/index.js';
import { type EmojiCache, storedEmoji } from '../../emoji/index.js';
import type { AccountJson, CredentialAccountJson } from '../model/account.shape.js';
import { type AccountRow, isActive, type OwnRow } from '../model/account.rows.js';
import { privilegesOf } from '../model/privileges.js';
import { acctOf } from '../model/nickname.js';

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
export type AccountExtensionJson = Omit<AccountJson['svc'], 'relationship'>;

/** All tabs of a profile are shown: people cannot hide them here. */
const PROFILE_TABS = { show_media: true, show_media_replies: true, show_featured: true } as const;
/** The id of the reference's role that every user has. */
const EVERYBODY = '-99';

/** The account as all viewers see it, without counters, extension and the account it moved to (spec §2.1). */
export function accountBody(row: AccountRow, context: BodyContext): AccountBodyJson {
  return bodyOf(row, context, row.show_role);
}

/** The object `svc` of an account as all viewers see it, without the viewer's relationship. */
export function accountExtension(row: AccountRow, { baseUrl, pictureUrl }: BodyContext): AccountExtensionJson {
  return {
    ap_id: row.ap_id,
    also_known_as: [...row.also_known_as],
    background_image: row.background_url && pictureUrl(row.background_url),
    tags: [...row.tags],
    is_admin: row.show_role ? row.is_admin : null,
    is_moderator: row.show_role ? row.is_moderator : null,
    is_confirmed: row.is_confirmed,
    confirmation_pending: !row.is_confirmed,
    deactivated: row.deactivated_at !== null,
    hide_favorites: row.hide_favorites,
    hide_followers: row.hide_followers,
    hide_follows: row.hide_follows,
    hide_followers_count: row.hide_followers_count,
    hide_follows_count: row.hide_follows_count,
    skip_thread_containment: row.skip_thread_containment,
    accepts_chat_messages: row.accepts_chat_messages ?? (row.domain === null ? true : null),
    favicon: row.domain === null ? `${baseUrl}/favicon.png` : row.favicon_url && pictureUrl(row.favicon_url),
    avatar_description: row.avatar_description,
    header_description: row.header_description,
    ...(row.show_birthday && row.birthday !== null ? { birthday: row.birthday } : {}),
  };
}

/** The counters for the owner (`sees` all) or another viewer. */
export function accountCounts(
  row: Pick<AccountRow, CountField | 'hide_followers_count' | 'hide_follows_count'>,
  seesAll: boolean,
): AccountCountsJson {
  return {
    statuses_count: row.statuses_count,
    followers_count: row.hide_followers_count && !seesAll ? 0 : row.followers_count,
    following_count: row.hide_follows_count && !seesAll ? 0 : row.following_count,
    last_status_at: row.last_status_at?.slice(0, 'YYYY-MM-DD'.length) ?? null,
  };
}

/** The owner's fields besides the row. */
export interface OwnExtras {
  readonly settingsStore: boolean;
  readonly chatToken: string | undefined;
  readonly unreadNotifications: number;
  readonly unreadConversations: number;
}

/** The account as its owner sees it; settings store and chat token only on request. */
export function ownAccount(row: OwnRow, context: BodyContext, extras: OwnExtras): OwnAccountJson {
  const body = bodyOf(row, context, true);
  const { block_from_strangers, hide_notification_contents } = row.notification_settings;
  return {
    ...body,
    ...accountCounts(row, true),
    follow_requests_count: row.follow_requests_count,
    role: roleOf(row),
    source: {
      ...body.source,
      privacy: row.default_scope,
      quote_policy: row.default_quote_policy,
      language: row.default_language,
      follow_requests_count: row.follow_requests_count,
      discoverable: row.discoverable,
      indexable: body.indexable,
      hide_collections: body.hide_collections,
      attribution_domains: [...row.attribution_domains],
      svc: { ...body.source.svc, show_role: row.show_role, no_rich_text: row.no_rich_text },
    },
    svc: {
      ...accountExtension(row, context),
      is_admin: row.is_admin,
      is_moderator: row.is_moderator,
      privileges: privilegesOf(row, context.moderatorPrivileges),
      ...(row.birthday === null ? {} : { birthday: row.birthday }),
      relationship: {},
      show_birthday: row.show_birthday,
      allow_following_move: row.allow_following_move,
      notification_settings: { block_from_strangers, hide_notification_contents },
      unread_conversation_count: extras.unreadConversations,
      unread_notifications_count: extras.unreadNotifications,
      ...(extras.settingsStore ? { settings_store: row.settings_store } : {}),
      ...(extras.chatToken === undefined ? {} : { chat_token: extras.chatToken }),
    },
  };
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
    id: row.id,
    username: row.nickname,
    acct,
    fqn: `${row.nickname}@${row.domain ?? handleDomain}`,
    nickname: acct,
    url: row.url ?? row.ap_id,
    uri: row.ap_id,
    display_name: row.display_name || row.nickname,
    note: withPictures(withoutVouching(row.note_html), pictureUrl),
    avatar: row.avatar_url === null ? avatar : pictureUrl(row.avatar_url),
    avatar_static: row.avatar_url === null ? avatar : stillUrl(row.avatar_url),
    header: row.header_url === null ? header : pictureUrl(row.header_url),
    header_static: row.header_url === null ? header : stillUrl(row.header_url),
    avatar_description: row.avatar_description,
    header_description: row.header_description,
    locked: row.locked,
    bot: row.actor_type === 'Service' || row.actor_type === 'Application',
    group: row.actor_type === 'Group',
    discoverable: row.discoverable,
    noindex: !row.discoverable,
    indexable: isIndexable(row),
    hide_collections: row.hide_followers && row.hide_follows,
    ...PROFILE_TABS,
    feature_approval: { automatic: [], manual: [], current_user: 'denied' },
    memorial: row.memorial,
    local: row.domain === null,
    is_active: isActive(row),
    is_confirmed: row.is_confirmed,
    created_at: row.created_at,
    emojis: emojisOf(row, context),
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at: verified_at ?? null })),
    source: sourceOf(row),
    roles: { admin: showsRoles && row.is_admin, moderator: showsRoles && row.is_moderator },
  };
}

/** Local texts use the emoji of this server; remote servers send theirs with the account. */
function emojisOf(row: AccountRow, { emoji, pictureUrl }: BodyContext): AccountJson['emojis'] {
  if (row.domain !== null) return storedEmoji(row.emojis, pictureUrl);
  const html = [row.note_html, ...row.fields.map(({ value }) => value)];
  return emoji.usedIn({ plain: [row.display_name, ...row.fields.map(({ name }) => name)], html });
}

function sourceOf(row: AccountRow): AccountJson['source'] {
  return {
    note: row.note_source,
    fields: row.fields.map(({ name, value, source }) => ({ name, value: source ?? value })),
    sensitive: row.default_sensitive,
    svc: {
      discoverable: row.discoverable,
      actor_type: row.actor_type as AccountJson['source']['svc']['actor_type'],
    },
  };
}

/** True unless the server of the account says otherwise; searches use the same rule. */
function isIndexable({ indexable }: AccountRow): boolean {
  return indexable ?? true;
}

/** The role that the reference shows to its holder. */
function roleOf({ is_admin: isAdmin, is_moderator: isModerator }: AccountRow): CredentialAccountJson['role'] {
  const name = isAdmin ? 'Admin' : isModerator ? 'Moderator' : '';
  return { id: name.toLowerCase() || EVERYBODY, name, permissions: '0', color: '', highlighted: name !== '' };
}
