import { Type } from 'typebox';
import { FlakeId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Field = Type.Object({ name: Type.String(), value: Type.String() }, closed);
const RawField = Type.Object({ id: Type.String(), name: Type.String(), value: Type.String() }, closed);

/** The values of a local user that an administrator can read and change (spec §2.9). */
export const CredentialsShape = Type.Object(
  {
    id: FlakeId,
    nickname: Type.String(),
    name: Type.String(),
    bio: Type.String(),
    email: Nullable(Type.String()),
    actor_type: Type.String(),
    avatar: Nullable(Type.String()),
    banner: Nullable(Type.String()),
    background: Nullable(Type.String()),
    fields: Type.Array(Field),
    raw_fields: Type.Array(RawField),
    default_scope: Type.String(),
    discoverable: Type.Boolean(),
    is_discoverable: Type.Boolean(),
    locked: Type.Boolean(),
    no_rich_text: Type.Boolean(),
    allow_following_move: Type.Boolean(),
    hide_favorites: Type.Boolean(),
    hide_followers: Type.Boolean(),
    hide_followers_count: Type.Boolean(),
    hide_follows: Type.Boolean(),
    hide_follows_count: Type.Boolean(),
    show_role: Type.Boolean(),
    skip_thread_containment: Type.Boolean(),
    svc_settings_store: Type.Record(Type.String(), Type.Unknown()),
  },
  { ...closed, title: 'AdminCredentials' },
);

export const ResetLinkShape = Type.Object({ token: Type.String(), link: Type.String() }, closed);
