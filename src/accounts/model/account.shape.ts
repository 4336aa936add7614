import { type Static, Type } from 'typebox';
import { AnythingShape, DateOnly, DateTime, FlakeId, Nullable } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';
import { RelationshipShape } from './relationship.shape.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: /^https?:\/\/\S+$/ });
const Count = Type.Integer({ minimum: 0 });

/** The actor types an account may have (spec §2.1). */
export const ACTOR_TYPES = ['Application', 'Group', 'Organization', 'Person', 'Service'] as const;

/** Default scopes of new posts: the visibility scopes of spec §2.1 but `list`, which needs a list. */
export const DEFAULT_SCOPES = ['public', 'unlisted', 'local', 'private', 'direct'] as const;

export type DefaultScope = (typeof DEFAULT_SCOPES)[number];

/** Who may quote a post, as clients know it. */
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const;

export type QuotePolicyName = (typeof QUOTE_POLICIES)[number];

const Field = Type.Object({ name: Type.String(), value: Type.String(), verified_at: Nullable(DateTime) }, closed);

const SourceField = Type.Object({ name: Type.String(), value: Type.String() }, closed);

/** The roles of an account; apps of the reference get the list that the reference has. */
const Roles = Type.Union([
  Type.Object({ admin: Type.Boolean(), moderator: Type.Boolean() }, closed),
  Type.Array(Type.Object({ id: Type.String(), name: Type.String(), color: Type.String() }, closed)),
]);

const sourceExtension = { discoverable: Type.Boolean(), actor_type: Type.Enum([...ACTOR_TYPES]) };
const ownSourceExtension = { show_role: Type.Boolean(), no_rich_text: Type.Boolean() };

const source = { note: Type.String(), fields: Type.Array(SourceField), sensitive: Type.Boolean() };
const ownSource = {
  privacy: Type.Enum([...DEFAULT_SCOPES]),
  quote_policy: Type.Enum([...QUOTE_POLICIES]),
  language: Nullable(Type.String()),
  follow_requests_count: Count,
  discoverable: Type.Boolean(),
  indexable: Type.Boolean(),
  hide_collections: Type.Boolean(),
  attribution_domains: Type.Array(Type.String()),
};

const extension = {
  ap_id: Url,
  also_known_as: Type.Array(Type.String()),
  background_image: Nullable(Url),
  tags: Type.Array(Type.String()),
  is_admin: Nullable(Type.Boolean()),
  is_moderator: Nullable(Type.Boolean()),
  is_confirmed: Type.Boolean(),
  confirmation_pending: Type.Boolean(),
  deactivated: Type.Boolean(),
  hide_favorites: Type.Boolean(),
  hide_followers: Type.Boolean(),
  hide_follows: Type.Boolean(),
  hide_followers_count: Type.Boolean(),
  hide_follows_count: Type.Boolean(),
  skip_thread_containment: Type.Boolean(),
  accepts_chat_messages: Nullable(Type.Boolean()),
  favicon: Nullable(Url),
  avatar_description: Type.String(),
  header_description: Type.String(),
  birthday: Type.Optional(DateOnly),
  relationship: Type.Union([RelationshipShape, Type.Object({}, closed)]),
};

const ownExtension = {
  privileges: Type.Array(Type.String()),
  show_birthday: Type.Boolean(),
  allow_following_move: Type.Boolean(),
  notification_settings: Type.Object(
    { block_from_strangers: Type.Boolean(), hide_notification_contents: Type.Boolean() },
    closed,
  ),
  unread_conversation_count: Count,
  unread_notifications_count: Count,
  /** Chats with unread messages: an addition to the specification. */
  unread_chats_count: Count,
  settings_store: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  chat_token: Type.Optional(Type.String({ minLength: 20 })),
};

const Nothing = Type.Array(Type.Never(), { maxItems: 0 });

/** The tabs of a profile; people cannot hide them here. */
const profileTabs = {
  show_media: Type.Literal(true),
  show_media_replies: Type.Literal(true),
  show_featured: Type.Literal(true),
};

/** The role of the reference. `permissions` are those of its own administrative API, which does not exist here. */
const Role = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    permissions: Type.Literal('0'),
    color: Type.Literal(''),
    highlighted: Type.Boolean(),
  },
  closed,
);

const account = {
  id: FlakeId,
  username: Type.String(),
  acct: Type.String(),
  fqn: Type.String(),
  nickname: Type.String(),
  url: Url,
  /** The ActivityPub id. */
  uri: Url,
  display_name: Type.String(),
  note: Type.String(),
  avatar: Url,
  avatar_static: Url,
  header: Url,
  header_static: Url,
  avatar_description: Type.String(),
  header_description: Type.String(),
  locked: Type.Boolean(),
  bot: Type.Boolean(),
  group: Type.Boolean(),
  discoverable: Type.Boolean(),
  noindex: Type.Boolean(),
  indexable: Type.Boolean(),
  hide_collections: Type.Boolean(),
  ...profileTabs,
  /** Collections, which feature accounts, do not exist here. */
  feature_approval: Type.Object({ automatic: Nothing, manual: Nothing, current_user: Type.Literal('denied') }, closed),
  memorial: Type.Boolean(),
  local: Type.Boolean(),
  is_active: Type.Boolean(),
  is_confirmed: Type.Boolean(),
  created_at: DateTime,
  last_status_at: Nullable(DateOnly),
  statuses_count: Count,
  followers_count: Count,
  following_count: Count,
  emojis: Type.Array(EmojiShape),
  fields: Type.Array(Field),
  roles: Roles,
};

const forOthers = {
  ...account,
  source: Type.Object({ ...source, svc: Type.Object(sourceExtension, closed) }, closed),
  svc: Type.Object(extension, closed),
};

/** The account that this one moved to, without a further `moved`. */
const moved = Nullable(Type.Object({ ...forOthers, moved: Type.Null() }, closed));

/** An account as all viewers see it (spec §2.1, reference Account). */
export const AccountShape = Type.Object(
  {
    ...forOthers,
    moved,
    /** Only in the list of blocks; null for a block without end. */
    block_expires_at: Type.Optional(Nullable(DateTime)),
    /** Only in the list of mutes; null for a mute without end. */
    mute_expires_at: Type.Optional(Nullable(DateTime)),
  },
  { ...closed, title: 'Account' },
);

/** An account on the viewer's list of blocks. */
export const BlockedAccountShape = Type.Object(
  { ...AccountShape.properties, block_expires_at: Nullable(DateTime) },
  { ...closed, title: 'BlockedAccount' },
);

/** An account on the viewer's list of mutes. */
export const MutedAccountShape = Type.Object(
  { ...AccountShape.properties, mute_expires_at: Nullable(DateTime) },
  { ...closed, title: 'MutedAccount' },
);

/** An account as its owner sees it. `settings_store` and `chat_token` are in some answers only. */
export const CredentialAccountShape = Type.Object(
  {
    ...account,
    moved,
    follow_requests_count: Count,
    role: Role,
    source: Type.Object(
      { ...source, ...ownSource, svc: Type.Object({ ...sourceExtension, ...ownSourceExtension }, closed) },
      closed,
    ),
    svc: Type.Object({ ...extension, ...ownExtension }, closed),
  },
  { ...closed, title: 'CredentialAccount' },
);

/** The profile of the caller, as typed (reference Profile). */
export const ProfileShape = Type.Object(
  {
    id: account.id,
    display_name: Type.String(),
    note: Type.String(),
    fields: source.fields,
    avatar: Url,
    avatar_static: Url,
    avatar_description: Type.String(),
    header: Url,
    header_static: Url,
    header_description: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
    hide_collections: Type.Boolean(),
    discoverable: Type.Boolean(),
    indexable: Type.Boolean(),
    show_media: Type.Boolean(),
    show_media_replies: Type.Boolean(),
    show_featured: Type.Boolean(),
    attribution_domains: ownSource.attribution_domains,
    featured_tags: Type.Array(AnythingShape),
  },
  { ...closed, title: 'Profile' },
);

/** The caller as clients of OpenID Connect know it (reference UserInfo). */
export const UserinfoShape = Type.Object(
  {
    iss: Url,
    sub: Url,
    name: Type.String(),
    preferred_username: Type.String(),
    profile: Url,
    picture: Url,
  },
  { ...closed, title: 'Userinfo' },
);

/** An account that was looked up: its owner also gets the owner's fields. */
export const LookedUpAccountShape = Type.Union([AccountShape, CredentialAccountShape]);

export type AccountJson = Static<typeof AccountShape>;
export type CredentialAccountJson = Static<typeof CredentialAccountShape>;
