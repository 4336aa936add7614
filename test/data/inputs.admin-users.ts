import type { RouteInput } from './inputs.js';

/** Routes under both prefixes of the administrative API. */
function onBothPrefixes(routes: Readonly<Record<string, RouteInput>>): Record<string, RouteInput> {
  return Object.fromEntries(
    Object.entries(routes).flatMap(([route, input]) =>
      ['/api/v1/svc/admin/', '/api/svc/admin/'].map((prefix) => [route.replace(' ', ` ${prefix}`), input]),
    ),
  );
}

const NOTHING: RouteInput = { fields: {} };
const NICKNAMES: RouteInput = { fields: { nicknames: 'texts' }, refusals: [404] };

const TAGS: RouteInput = { fields: { nicknames: 'texts', tags: 'texts' }, refusals: [404] };
const FOLLOW: RouteInput = {
  fields: { follower: 'text', followed: 'text' },
  beside: { follower: 'alice', followed: 'bob' },
};

const CREDENTIALS: RouteInput = {
  fields: {
    email: 'text',
    password: 'text',
    name: 'text',
    bio: 'text',
    actor_type: 'word',
    default_scope: 'word',
    fields: 'objects',
    'fields.0.name': 'text',
    'fields.0.value': 'text',
    avatar: 'picture',
    banner: 'picture',
    background: 'picture',
  },
};

/** The input of the administrative routes for users, and of the moderation log. */
export const ADMIN_USER_INPUTS: Readonly<Record<string, RouteInput>> = onBothPrefixes({
  'GET moderation_log': { fields: { start_date: 'text', end_date: 'text', user_id: 'id', search: 'text' } },
  'GET users': {
    fields: { filters: 'texts', query: 'text', name: 'text', email: 'text', tags: 'texts', actor_types: 'texts' },
  },
  'GET users/:nickname_or_id': NOTHING,
  'GET users/:nickname_or_id/statuses': NOTHING,
  'PATCH users/:nickname/toggle_activation': NOTHING,
  'DELETE users': { fields: { nicknames: 'texts', nickname: 'text' }, refusals: [404] },
  'POST users': { fields: { users: 'objects', 'users.0.nickname': 'text', 'users.0.email': 'text' }, refusals: [409] },
  'POST users/follow': FOLLOW,
  'POST users/unfollow': FOLLOW,
  'PUT users/tag': TAGS,
  'DELETE users/tag': TAGS,
  'GET users/:nickname/permission_group': NOTHING,
  'GET users/:nickname/permission_group/:permission_group': NOTHING,
  'POST users/permission_group/:permission_group': NICKNAMES,
  'POST users/:nickname/permission_group/:permission_group': NOTHING,
  'DELETE users/permission_group/:permission_group': NICKNAMES,
  'DELETE users/:nickname/permission_group/:permission_group': NOTHING,
  'GET users/:nickname/password_reset': NOTHING,
  'PATCH users/force_password_reset': NICKNAMES,
  'PUT users/disable_mfa': { fields: { nickname: 'text' }, beside: { nickname: 'bob' } },
  'GET users/:nickname/credentials': NOTHING,
  'PATCH users/:nickname/credentials': CREDENTIALS,
  'DELETE instances/:instance': NOTHING,
  'POST backups': { fields: { nickname: 'text' }, beside: { nickname: 'bob' } },
  'PATCH users/activate': NICKNAMES,
  'PATCH users/deactivate': NICKNAMES,
  'PATCH users/approve': NICKNAMES,
  'PATCH users/suggest': NICKNAMES,
  'PATCH users/unsuggest': NICKNAMES,
  'PATCH users/confirm_email': NICKNAMES,
  'PATCH users/resend_confirmation_email': NICKNAMES,
});
