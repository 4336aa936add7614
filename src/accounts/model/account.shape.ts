import { type Static, Type } from 'typebox';
import { AnythingShape, DateOnly, DateTime, Described, FlakeId, Nullable } from '../../common/index.js';
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

const Field = Type.Object(
  {
    name: Described(Type.String(), 'The label of the field.'),
    value: Described(Type.String(), 'The content of the field as HTML.'),
    verified_at: Described(
      Nullable(DateTime),
      'When the page linked here was found to link back; null if it does not.',
    ),
  },
  closed,
);

const SourceField = Type.Object(
  {
    name: Described(Type.String(), 'The label of the field.'),
    value: Described(Type.String(), 'The content of the field as it was typed.'),
  },
  closed,
);

/** The roles of an account; apps of the reference get the list that the reference has. */
const Roles = Type.Union([
  Type.Object(
    {
      admin: Described(Type.Boolean(), 'Whether the account is an administrator.'),
      moderator: Described(Type.Boolean(), 'Whether the account is a moderator.'),
    },
    closed,
  ),
  Type.Array(
    Type.Object(
      {
        id: Described(Type.String(), 'The id of the role.'),
        name: Described(Type.String(), 'The name of the role.'),
        color: Described(Type.String(), 'The colour of the role; empty for none.'),
      },
      closed,
    ),
  ),
]);

const sourceExtension = {
  discoverable: Described(Type.Boolean(), 'Whether the directory and search engines may show the account.'),
  actor_type: Described(Type.Enum([...ACTOR_TYPES]), 'The kind of the account.'),
};
const ownSourceExtension = {
  show_role: Described(Type.Boolean(), 'Whether the role is shown.'),
  no_rich_text: Described(Type.Boolean(), 'Whether formatting is removed from posts on timelines.'),
};

const source = {
  note: Described(Type.String(), 'The text of the profile as it was typed.'),
  fields: Described(Type.Array(SourceField), 'The fields of the profile as they were typed.'),
  sensitive: Described(Type.Boolean(), 'Whether media of new posts are sensitive.'),
};
const ownSource = {
  privacy: Described(Type.Enum([...DEFAULT_SCOPES]), 'The visibility of new posts.'),
  quote_policy: Described(Type.Enum([...QUOTE_POLICIES]), 'Who may quote new posts.'),
  language: Described(Nullable(Type.String()), 'The language of new posts.'),
  follow_requests_count: Described(Count, 'The number of accounts that ask to follow.'),
  discoverable: Described(Type.Boolean(), 'Whether the directory and search engines may show the account.'),
  indexable: Described(Type.Boolean(), 'Whether searches for words find posts of the account.'),
  hide_collections: Described(
    Type.Boolean(),
    'Whether the lists of followers and of followed accounts are both hidden.',
  ),
  attribution_domains: Described(
    Type.Array(Type.String()),
    'The hosts whose pages may name the account as their author.',
  ),
};

const extension = {
  ap_id: Described(Url, 'The id of the actor on the network.'),
  also_known_as: Described(Type.Array(Type.String()), 'The addresses of other accounts of the owner.'),
  background_image: Described(Nullable(Url), 'The address of the background picture; null for none.'),
  tags: Described(Type.Array(Type.String()), 'The moderation tags.'),
  is_admin: Described(
    Nullable(Type.Boolean()),
    'Whether the account is an administrator; null if the role is not shown.',
  ),
  is_moderator: Described(
    Nullable(Type.Boolean()),
    'Whether the account is a moderator; null if the role is not shown.',
  ),
  is_confirmed: Described(Type.Boolean(), 'Whether the mail address is confirmed.'),
  confirmation_pending: Described(Type.Boolean(), 'Whether the mail address waits for its confirmation.'),
  deactivated: Described(Type.Boolean(), 'Whether the account is deactivated.'),
  hide_favorites: Described(Type.Boolean(), 'Whether favourited posts are hidden.'),
  hide_followers: Described(Type.Boolean(), 'Whether the list of followers is hidden.'),
  hide_follows: Described(Type.Boolean(), 'Whether the list of followed accounts is hidden.'),
  hide_followers_count: Described(Type.Boolean(), 'Whether the number of followers is hidden.'),
  hide_follows_count: Described(Type.Boolean(), 'Whether the number of followed accounts is hidden.'),
  skip_thread_containment: Described(
    Type.Boolean(),
    'Whether replies appear also where the post replied to is not visible.',
  ),
  accepts_chat_messages: Described(
    Nullable(Type.Boolean()),
    'Whether the account takes chat messages; null if unknown.',
  ),
  favicon: Described(Nullable(Url), "The address of the picture of the account's server; null for none."),
  avatar_description: Described(Type.String(), 'The description of the avatar.'),
  header_description: Described(Type.String(), 'The description of the header picture.'),
  birthday: Described(Type.Optional(DateOnly), 'The birthday; absent if it is not shown.'),
  relationship: Described(
    Type.Union([RelationshipShape, Type.Object({}, closed)]),
    'How the caller relates to the account, where it was asked for; otherwise empty.',
  ),
};

const ownExtension = {
  privileges: Described(Type.Array(Type.String()), 'What the caller may do as a member of the staff.'),
  show_birthday: Described(Type.Boolean(), 'Whether the birthday is shown.'),
  allow_following_move: Described(Type.Boolean(), 'Whether follows move with accounts automatically.'),
  notification_settings: Described(
    Type.Object(
      {
        block_from_strangers: Described(
          Type.Boolean(),
          'Whether notifications by accounts that are not followed are dropped.',
        ),
        hide_notification_contents: Described(Type.Boolean(), 'Whether push messages leave out names and texts.'),
      },
      closed,
    ),
    'Which notifications the caller wants.',
  ),
  unread_conversation_count: Described(Count, 'The number of unread conversations.'),
  unread_notifications_count: Described(Count, 'The number of unread notifications.'),
  /** An addition to the specification. */
  unread_chats_count: Described(Count, 'The number of chats with unread messages, among the 100 newest.'),
  settings_store: Described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'The settings that frontends stored, by their names.',
  ),
  chat_token: Described(Type.Optional(Type.String({ minLength: 20 })), 'The token for the shoutbox.'),
};

const Nothing = Type.Array(Type.Never(), { maxItems: 0 });

/** The tabs of a profile; people cannot hide them here. */
const profileTabs = {
  show_media: Described(Type.Literal(true), 'Whether the profile has a tab with media.'),
  show_media_replies: Described(Type.Literal(true), 'Whether that tab has media of replies.'),
  show_featured: Described(Type.Literal(true), 'Whether the profile has a tab with featured accounts.'),
};

/** The role of the reference. `permissions` are those of its own administrative API, which does not exist here. */
const Role = Type.Object(
  {
    id: Described(Type.String(), 'The id of the role.'),
    name: Described(Type.String(), 'The name of the role.'),
    permissions: Described(Type.Literal('0'), 'The rights as a bit field: always `0`.'),
    color: Described(Type.Literal(''), 'The colour of the role: always empty.'),
    highlighted: Described(Type.Boolean(), 'Whether the role is shown on the profile.'),
  },
  closed,
);

const account = {
  id: Described(FlakeId, 'The id of the account.'),
  username: Described(Type.String(), 'The nickname, without a domain.'),
  acct: Described(Type.String(), 'The nickname, for other servers with `@` and the domain.'),
  fqn: Described(Type.String(), 'The nickname with the domain, for all servers.'),
  nickname: Described(Type.String(), 'The nickname, as in `acct`.'),
  url: Described(Url, 'The address of the profile.'),
  /** The ActivityPub id. */
  uri: Described(Url, 'The id of the actor on the network.'),
  display_name: Described(Type.String(), 'The name that readers see.'),
  note: Described(Type.String(), 'The text of the profile as HTML.'),
  avatar: Described(Url, 'The address of the avatar.'),
  avatar_static: Described(Url, 'The address of the avatar without motion.'),
  header: Described(Url, 'The address of the header picture.'),
  header_static: Described(Url, 'The address of the header picture without motion.'),
  avatar_description: Described(Type.String(), 'The description of the avatar.'),
  header_description: Described(Type.String(), 'The description of the header picture.'),
  locked: Described(Type.Boolean(), 'Whether follows need the consent of the owner.'),
  bot: Described(Type.Boolean(), 'Whether the account is automated.'),
  group: Described(Type.Boolean(), 'Whether the account is a group.'),
  discoverable: Described(Type.Boolean(), 'Whether the directory and search engines may show the account.'),
  noindex: Described(Type.Boolean(), 'Whether search engines shall not list the account.'),
  indexable: Described(Type.Boolean(), 'Whether searches for words find posts of the account.'),
  hide_collections: Described(
    Type.Boolean(),
    'Whether the lists of followers and of followed accounts are both hidden.',
  ),
  ...profileTabs,
  /** Collections, which feature accounts, do not exist here. */
  feature_approval: Described(
    Type.Object(
      {
        automatic: Described(Nothing, 'Who may do so at once.'),
        manual: Described(Nothing, 'Who may ask for it.'),
        current_user: Described(Type.Literal('denied'), 'Whether the caller may do so.'),
      },
      closed,
    ),
    'Who may feature the account in collections.',
  ),
  suspended: Described(
    Type.Optional(Type.Literal(true)),
    'Present if the account is deactivated; only staff sees those.',
  ),
  limited: Described(Type.Optional(Type.Literal(true)), 'Present if staff keeps the posts of the account from others.'),
  memorial: Described(Type.Boolean(), 'Whether the owner has died.'),
  local: Described(Type.Boolean(), 'Whether the account is one of this server.'),
  is_active: Described(Type.Boolean(), 'Whether the account is not deactivated.'),
  is_confirmed: Described(Type.Boolean(), 'Whether the mail address is confirmed.'),
  created_at: Described(DateTime, 'When the account was created.'),
  last_status_at: Described(Nullable(DateOnly), 'The day of the latest post; null for none.'),
  statuses_count: Described(Count, 'The number of posts.'),
  followers_count: Described(Count, 'The number of followers; 0 if it is hidden.'),
  following_count: Described(Count, 'The number of followed accounts; 0 if it is hidden.'),
  emojis: Described(Type.Array(EmojiShape), 'The custom emoji of the name, the text and the fields.'),
  fields: Described(Type.Array(Field), 'The fields of the profile.'),
  roles: Described(Roles, 'The roles that the account shows.'),
};

const forOthers = {
  ...account,
  source: Described(
    Type.Object(
      { ...source, svc: Described(Type.Object(sourceExtension, closed), "Fields of this service's own.") },
      closed,
    ),
    'The profile as it was typed, as far as others may see it.',
  ),
  svc: Described(Type.Object(extension, closed), "Fields of this service's own."),
};

/** The account that this one moved to, without a further `moved`. */
const moved = Described(
  Nullable(
    Type.Object({ ...forOthers, moved: Described(Type.Null(), 'Always null: only the first move is shown.') }, closed),
  ),
  'The account that this one moved to; null for none.',
);

/** An account as all viewers see it (spec §2.1, reference Account). */
export const AccountShape = Type.Object(
  {
    ...forOthers,
    moved,
    /** Only in the list of blocks; null for a block without end. */
    block_expires_at: Described(Type.Optional(Nullable(DateTime)), "When the caller's block ends; null for no end."),
    /** Only in the list of mutes; null for a mute without end. */
    mute_expires_at: Described(Type.Optional(Nullable(DateTime)), "When the caller's mute ends; null for no end."),
  },
  { ...closed, title: 'Account' },
);

/** An account on the viewer's list of blocks. */
export const BlockedAccountShape = Type.Object(
  {
    ...AccountShape.properties,
    block_expires_at: Described(Nullable(DateTime), "When the caller's block ends; null for no end."),
  },
  { ...closed, title: 'BlockedAccount' },
);

/** An account on the viewer's list of mutes. */
export const MutedAccountShape = Type.Object(
  {
    ...AccountShape.properties,
    mute_expires_at: Described(Nullable(DateTime), "When the caller's mute ends; null for no end."),
  },
  { ...closed, title: 'MutedAccount' },
);

/** An account as its owner sees it. `settings_store` and `chat_token` are in some answers only. */
export const CredentialAccountShape = Type.Object(
  {
    ...account,
    moved,
    follow_requests_count: Described(Count, 'The number of accounts that ask to follow.'),
    role: Described(Role, 'The role of the account.'),
    source: Described(
      Type.Object(
        {
          ...source,
          ...ownSource,
          svc: Described(
            Type.Object({ ...sourceExtension, ...ownSourceExtension }, closed),
            "Fields of this service's own.",
          ),
        },
        closed,
      ),
      'The profile as it was typed, with defaults for new posts.',
    ),
    svc: Described(Type.Object({ ...extension, ...ownExtension }, closed), "Fields of this service's own."),
  },
  { ...closed, title: 'CredentialAccount' },
);

/** The profile of the caller, as typed (reference Profile). */
export const ProfileShape = Type.Object(
  {
    id: account.id,
    display_name: Described(Type.String(), 'The name that readers see.'),
    note: Described(Type.String(), 'The text of the profile as it was typed.'),
    fields: source.fields,
    avatar: Described(Url, 'The address of the avatar.'),
    avatar_static: Described(Url, 'The address of the avatar without motion.'),
    avatar_description: Described(Type.String(), 'The description of the avatar.'),
    header: Described(Url, 'The address of the header picture.'),
    header_static: Described(Url, 'The address of the header picture without motion.'),
    header_description: Described(Type.String(), 'The description of the header picture.'),
    locked: Described(Type.Boolean(), 'Whether follows need the consent of the owner.'),
    bot: Described(Type.Boolean(), 'Whether the account is automated.'),
    hide_collections: Described(
      Type.Boolean(),
      'Whether the lists of followers and of followed accounts are both hidden.',
    ),
    discoverable: Described(Type.Boolean(), 'Whether the directory and search engines may show the account.'),
    indexable: Described(Type.Boolean(), 'Whether searches for words find posts of the account.'),
    show_media: Described(Type.Boolean(), 'Whether the profile has a tab with media.'),
    show_media_replies: Described(Type.Boolean(), 'Whether that tab has media of replies.'),
    show_featured: Described(Type.Boolean(), 'Whether the profile has a tab with featured accounts.'),
    attribution_domains: ownSource.attribution_domains,
    featured_tags: Described(Type.Array(AnythingShape), 'Featured hashtags: always none.'),
  },
  { ...closed, title: 'Profile' },
);

/** The caller as clients of OpenID Connect know it (reference UserInfo). */
export const UserinfoShape = Type.Object(
  {
    iss: Described(Url, 'The address of this server.'),
    sub: Described(Url, 'The id of the actor on the network.'),
    name: Described(Type.String(), 'The name that readers see.'),
    preferred_username: Described(Type.String(), 'The nickname.'),
    profile: Described(Url, 'The address of the profile.'),
    picture: Described(Url, 'The address of the avatar.'),
  },
  { ...closed, title: 'Userinfo' },
);

/** An account that was looked up: its owner also gets the owner's fields. */
export const LookedUpAccountShape = Type.Union([AccountShape, CredentialAccountShape]);

export type AccountJson = Static<typeof AccountShape>;
export type CredentialAccountJson = Static<typeof CredentialAccountShape>;
