import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

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
export const ADMIN_USER_INPUTS: Readonly<Record<string, RouteInput>> = belowBothPrefixes({
  'GET admin/moderation_log': { fields: { start_date: 'text', end_date: 'text', user_id: 'id', search: 'text' } },
  'GET admin/users': {
    fields: { filters: 'texts', query: 'text', name: 'text', email: 'text', tags: 'texts', actor_types: 'texts' },
  },
  'GET admin/users/:nickname_or_id': NOTHING,
  'GET admin/users/:nickname_or_id/statuses': NOTHING,
  'PATCH admin/users/:nickname/toggle_activation': NOTHING,
  'DELETE admin/users': { fields: { nicknames: 'texts', nickname: 'text' }, refusals: [404] },
  'POST admin/users': { fields: { users: 'objects', 'users.0.nickname': 'text', 'users.0.email': 'text' }, refusals: [409] },
  'POST admin/users/follow': FOLLOW,
  'POST admin/users/unfollow': FOLLOW,
  'PUT admin/users/tag': TAGS,
  'DELETE admin/users/tag': TAGS,
  'GET admin/users/:nickname/permission_group': NOTHING,
  'GET admin/users/:nickname/permission_group/:permission_group': NOTHING,
  'POST admin/users/permission_group/:permission_group': NICKNAMES,
  'POST admin/users/:nickname/permission_group/:permission_group': NOTHING,
  'DELETE admin/users/permission_group/:permission_group': NICKNAMES,
  'DELETE admin/users/:nickname/permission_group/:permission_group': NOTHING,
  'GET admin/users/:nickname/password_reset': NOTHING,
  'PATCH admin/users/force_password_reset': NICKNAMES,
  'PUT admin/users/disable_mfa': { fields: { nickname: 'text' }, beside: { nickname: 'bob' } },
  'GET admin/users/:nickname/credentials': NOTHING,
  'PATCH admin/users/:nickname/credentials': CREDENTIALS,
  'DELETE admin/instances/:instance': NOTHING,
  'POST admin/backups': { fields: { nickname: 'text' }, beside: { nickname: 'bob' } },
  'PATCH admin/users/activate': NICKNAMES,
  'PATCH admin/users/deactivate': NICKNAMES,
  'PATCH admin/users/approve': NICKNAMES,
  'PATCH admin/users/suggest': NICKNAMES,
  'PATCH admin/users/unsuggest': NICKNAMES,
  'PATCH admin/users/confirm_email': NICKNAMES,
  'PATCH admin/users/resend_confirmation_email': NICKNAMES,
});
