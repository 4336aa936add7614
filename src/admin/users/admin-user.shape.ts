import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, Described, FlakeId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** An account as an administrator sees it (spec §2.8), with the names of both revisions. */
export const AdminUserShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the account.'),
    nickname: Described(Type.String(), 'The nickname, for other servers with the domain.'),
    display_name: Described(Type.String(), 'The name that readers see.'),
    avatar: Described(Type.String(), 'The address of the avatar.'),
    roles: Described(
      Type.Object(
        {
          admin: Described(Type.Boolean(), 'Whether the account is an administrator.'),
          moderator: Described(Type.Boolean(), 'Whether the account is a moderator.'),
        },
        closed,
      ),
      'The rights of the account.',
    ),
    local: Described(Type.Boolean(), 'Whether the account is one of this server.'),
    tags: Described(Type.Array(Type.String()), 'The moderation tags.'),
    deactivated: Described(Type.Boolean(), 'Whether the account is deactivated.'),
    is_active: Described(Type.Boolean(), 'Whether the account is not deactivated.'),
    confirmation_pending: Described(Type.Boolean(), 'Whether the mail address waits for its confirmation.'),
    is_confirmed: Described(Type.Boolean(), 'Whether the mail address is confirmed.'),
    approval_pending: Described(Type.Boolean(), 'Whether the account waits for the staff.'),
    is_approved: Described(Type.Boolean(), 'Whether the staff approved the account.'),
    is_suggested: Described(Type.Boolean(), 'Whether the account is suggested to all users.'),
    registration_reason: Described(Nullable(Type.String()), 'Why the person wants to join; null for no reason.'),
    actor_type: Described(Type.String(), 'The kind of the account.'),
    email: Described(Nullable(Type.String()), 'The mail address; null for none.'),
    url: Described(Type.String(), 'The address of the profile.'),
    created_at: Described(DateTime, 'When it was created.'),
  },
  { ...closed, title: 'AdminUser' },
);

/** An account with the fields of an admin user besides; a deleted account has only its own. */
export const MergedAccountShape = Type.Union([
  Type.Object({ ...AccountShape.properties, ...AdminUserShape.properties }, closed),
  AccountShape,
]);

export const AdminUserPageShape = Type.Object(
  {
    users: Described(Type.Array(AdminUserShape), 'The accounts.'),
    count: Described(Type.Integer(), 'The total number.'),
    page_size: Described(Type.Integer(), 'The entries of a page.'),
  },
  closed,
);
export const AdminUsersShape = Type.Object({ users: Described(Type.Array(AdminUserShape), 'The accounts.') }, closed);

/** The results of creating users (spec §4.1.1). */
export const CreatedUsersShape = Type.Array(
  Type.Object(
    {
      type: Described(Type.Literal('success'), 'Always `success`.'),
      code: Described(Type.Literal(200), 'Always 200.'),
      data: Described(
        Type.Object(
          {
            nickname: Described(Type.String(), 'The nickname, for other servers with the domain.'),
            email: Described(Type.String(), 'The mail address.'),
          },
          closed,
        ),
        'The new account.',
      ),
    },
    closed,
  ),
);

export const PermissionGroupsShape = Type.Object(
  {
    is_moderator: Described(Type.Boolean(), 'Whether the account is a moderator.'),
    is_admin: Described(Type.Boolean(), 'Whether the account is an administrator.'),
  },
  closed,
);

/** The flag that changed, and the user if it was one. */
export const GroupMemberShape = Type.Object(
  {
    is_admin: Described(Type.Optional(Type.Boolean()), 'Whether the account is an administrator.'),
    is_moderator: Described(Type.Optional(Type.Boolean()), 'Whether the account is a moderator.'),
    ...Type.Partial(AdminUserShape).properties,
  },
  closed,
);

export type AdminUserJson = Static<typeof AdminUserShape>;
