import { Type } from 'typebox';
import { Described, FlakeId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const FieldName = Described(Type.String(), 'The label of the field.');
const Field = Type.Object(
  { name: FieldName, value: Described(Type.String(), 'The content of the field as HTML.') },
  closed,
);
const RawField = Type.Object(
  {
    id: Described(Type.String(), 'The place of the field, beginning with `0`.'),
    name: FieldName,
    value: Described(Type.String(), 'The content of the field as it was typed.'),
  },
  closed,
);

/** The values of a local user that an administrator can read and change (spec §2.9). */
export const CredentialsShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the account.'),
    nickname: Described(Type.String(), 'The nickname, without a domain.'),
    name: Described(Type.String(), 'The name that readers see.'),
    bio: Described(Type.String(), 'The text of the profile as it was typed.'),
    email: Described(Nullable(Type.String()), 'The mail address; null for none.'),
    actor_type: Described(Type.String(), 'The kind of the account.'),
    avatar: Described(Nullable(Type.String()), 'The address of the avatar; null for none.'),
    banner: Described(Nullable(Type.String()), 'The address of the header picture; null for none.'),
    background: Described(Nullable(Type.String()), 'The address of the background picture; null for none.'),
    fields: Described(Type.Array(Field), 'The fields of the profile.'),
    raw_fields: Described(Type.Array(RawField), 'The fields of the profile as they were typed.'),
    default_scope: Described(Type.String(), 'The visibility of new posts.'),
    discoverable: Described(Type.Boolean(), 'Whether the directory and search engines may show the account.'),
    is_discoverable: Described(Type.Boolean(), 'Another name of `discoverable`.'),
    locked: Described(Type.Boolean(), 'Whether follows need the consent of the owner.'),
    no_rich_text: Described(Type.Boolean(), 'Whether formatting is removed from posts on timelines.'),
    allow_following_move: Described(Type.Boolean(), 'Whether follows move with accounts automatically.'),
    hide_favorites: Described(Type.Boolean(), 'Whether favourited posts are hidden.'),
    hide_followers: Described(Type.Boolean(), 'Whether the list of followers is hidden.'),
    hide_followers_count: Described(Type.Boolean(), 'Whether the number of followers is hidden.'),
    hide_follows: Described(Type.Boolean(), 'Whether the list of followed accounts is hidden.'),
    hide_follows_count: Described(Type.Boolean(), 'Whether the number of followed accounts is hidden.'),
    show_role: Described(Type.Boolean(), 'Whether the role is shown.'),
    skip_thread_containment: Described(
      Type.Boolean(),
      'Whether replies appear also where the post replied to is not visible.',
    ),
    svc_settings_store: Described(
      Type.Record(Type.String(), Type.Unknown()),
      'The settings that frontends stored, by their names.',
    ),
  },
  { ...closed, title: 'AdminCredentials' },
);

export const ResetLinkShape = Type.Object(
  {
    token: Described(Type.String(), 'The token of the page: a secret.'),
    link: Described(Type.String(), 'The address of the page where the owner sets a new password.'),
  },
  closed,
);
