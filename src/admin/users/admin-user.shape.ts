import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, FlakeId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** An account as an administrator sees it (spec §2.8), with the names of both revisions. */
export const AdminUserShape = Type.Object(
  {
    id: FlakeId,
    nickname: Type.String(),
    display_name: Type.String(),
    avatar: Type.String(),
    roles: Type.Object({ admin: Type.Boolean(), moderator: Type.Boolean() }, closed),
    local: Type.Boolean(),
    tags: Type.Array(Type.String()),
    deactivated: Type.Boolean(),
    is_active: Type.Boolean(),
    confirmation_pending: Type.Boolean(),
    is_confirmed: Type.Boolean(),
    approval_pending: Type.Boolean(),
    is_approved: Type.Boolean(),
    is_suggested: Type.Boolean(),
    registration_reason: Nullable(Type.String()),
    actor_type: Type.String(),
    email: Nullable(Type.String()),
    url: Type.String(),
    created_at: DateTime,
  },
  { ...closed, title: 'AdminUser' },
);

/** An account with the fields of an admin user besides; a deleted account has only its own. */
export const MergedAccountShape = Type.Union([
  Type.Object({ ...AccountShape.properties, ...AdminUserShape.properties }, closed),
  AccountShape,
]);

export const AdminUserPageShape = Type.Object(
  { users: Type.Array(AdminUserShape), count: Type.Integer(), page_size: Type.Integer() },
  closed,
);
export const AdminUsersShape = Type.Object({ users: Type.Array(AdminUserShape) }, closed);

/** The results of creating users (spec §4.1.1). */
export const CreatedUsersShape = Type.Array(
  Type.Object(
    {
      type: Type.Literal('success'),
      code: Type.Literal(200),
      data: Type.Object({ nickname: Type.String(), email: Type.String() }, closed),
    },
    closed,
  ),
);

export const PermissionGroupsShape = Type.Object({ is_moderator: Type.Boolean(), is_admin: Type.Boolean() }, closed);

/** The flag that changed, and the user if it was one. */
export const GroupMemberShape = Type.Object(
  {
    is_admin: Type.Optional(Type.Boolean()),
    is_moderator: Type.Optional(Type.Boolean()),
    ...Type.Partial(AdminUserShape).properties,
  },
  closed,
);

export type AdminUserJson = Static<typeof AdminUserShape>;
