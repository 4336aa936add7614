import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const READ_NOTIFICATIONS: RouteInput = { fields: { id: 'id', max_id: 'id' } };

const POLICY: RouteInput = {
  fields: {
    for_not_following: 'word',
    for_not_followers: 'word',
    for_new_accounts: 'word',
    for_private_mentions: 'word',
    for_limited_accounts: 'word',
  },
};

/** The input of notifications. */
export const NOTIFICATION_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /api/v1/notifications': {
    fields: {
      include_types: 'texts',
      types: 'texts',
      exclude_types: 'texts',
      account_id: 'id',
      exclude_visibilities: 'texts',
    },
    paged: true,
  },
  'GET /api/v1/notifications/unread_count': {
    fields: { types: 'texts', exclude_types: 'texts', account_id: 'id' },
  },
  'GET /api/v1/notifications/:id': NOTHING,
  'POST /api/v1/notifications/clear': NOTHING,
  'POST /api/v1/notifications/dismiss': { fields: { id: 'id' } },
  'POST /api/v1/notifications/:id/dismiss': NOTHING,
  'DELETE /api/v1/notifications/destroy_multiple': { fields: { ids: 'ids' } },
  'GET /api/v2/notifications': {
    fields: { types: 'texts', exclude_types: 'texts', account_id: 'id', grouped_types: 'texts', expand_accounts: 'word' },
    paged: true,
  },
  'GET /api/v2/notifications/unread_count': {
    fields: { types: 'texts', exclude_types: 'texts', account_id: 'id', grouped_types: 'texts' },
  },
  'POST /api/v2/notifications/clear': NOTHING,
  'GET /api/v2/notifications/:group_key': NOTHING,
  'GET /api/v2/notifications/:group_key/accounts': NOTHING, // pages of one group: notification-groups.spec.ts
  'POST /api/v2/notifications/:group_key/dismiss': NOTHING,
  'GET /api/v1/notifications/policy': NOTHING,
  'PUT /api/v1/notifications/policy': NOTHING,
  'PATCH /api/v1/notifications/policy': NOTHING,
  'GET /api/v2/notifications/policy': NOTHING,
  'PUT /api/v2/notifications/policy': POLICY,
  'PATCH /api/v2/notifications/policy': POLICY,
  'GET /api/v1/notifications/requests': { fields: {}, paged: true },
  'GET /api/v1/notifications/requests/merged': NOTHING,
  'GET /api/v1/notifications/requests/:id': NOTHING,
  'POST /api/v1/notifications/requests/accept': { fields: { id: 'ids' } },
  'POST /api/v1/notifications/requests/dismiss': { fields: { id: 'ids' } },
  'POST /api/v1/notifications/requests/:id/accept': NOTHING,
  'POST /api/v1/notifications/requests/:id/dismiss': NOTHING,
  'POST /api/v1/svc/notifications/read': READ_NOTIFICATIONS,
  'POST /api/svc/notifications/read': READ_NOTIFICATIONS,
};
