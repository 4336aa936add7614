import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const READ_NOTIFICATIONS: RouteInput = { fields: { id: 'id', max_id: 'id' } };

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
  'GET /api/v2/notifications/:group_key/accounts': { fields: {}, paged: true },
  'POST /api/v2/notifications/:group_key/dismiss': NOTHING,
  'POST /api/v1/svc/notifications/read': READ_NOTIFICATIONS,
  'POST /api/svc/notifications/read': READ_NOTIFICATIONS,
};
