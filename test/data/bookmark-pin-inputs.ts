import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const OLDER_FILTER: RouteInput = {
  fields: { phrase: 'text', context: 'texts', expires_in: 'whole' },
  beside: { phrase: 'tea', context: ['home'] },
};
const FILTER: RouteInput = {
  fields: {
    title: 'text',
    context: 'texts',
    filter_action: 'word',
    expires_in: 'whole',
    keywords_attributes: 'objects',
    'keywords_attributes.0.id': 'id',
    'keywords_attributes.0.keyword': 'text',
  },
  beside: { title: 'tea', context: ['home'] },
};
const KEYWORD: RouteInput = { fields: { keyword: 'text' } };
const FOLDER: RouteInput = { fields: { name: 'text', emoji: 'text' }, beside: { name: 'Recipes' } };

/** The input of the routes by which people keep posts, react to them and filter them. */
export const KEEPING_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /api/v1/statuses/:id/bookmark': { fields: { folder_id: 'id' } },
  'POST /api/v1/statuses/:id/unbookmark': NOTHING,
  'POST /api/v1/statuses/:id/pin': NOTHING,
  'POST /api/v1/statuses/:id/unpin': NOTHING,
  'POST /api/v1/statuses/:id/mute': { fields: { expires_in: 'whole' } },
  'POST /api/v1/statuses/:id/unmute': NOTHING,
  'GET /api/v1/svc/statuses/:id/reactions': NOTHING,
  'GET /api/svc/statuses/:id/reactions': NOTHING,
  'GET /api/v1/svc/statuses/:id/reactions/:emoji': NOTHING,
  'GET /api/svc/statuses/:id/reactions/:emoji': NOTHING,
  'PUT /api/v1/svc/statuses/:id/reactions/:emoji': NOTHING,
  'PUT /api/svc/statuses/:id/reactions/:emoji': NOTHING,
  'DELETE /api/v1/svc/statuses/:id/reactions/:emoji': NOTHING,
  'DELETE /api/svc/statuses/:id/reactions/:emoji': NOTHING,
  'GET /api/v1/bookmarks': { fields: { folder_id: 'id' }, paged: true },
  'GET /api/v1/svc/bookmark_folders': NOTHING,
  'GET /api/svc/bookmark_folders': NOTHING,
  'POST /api/v1/svc/bookmark_folders': FOLDER,
  'POST /api/svc/bookmark_folders': FOLDER,
  'PATCH /api/v1/svc/bookmark_folders/:id': FOLDER,
  'PATCH /api/svc/bookmark_folders/:id': FOLDER,
  'DELETE /api/v1/svc/bookmark_folders/:id': NOTHING,
  'DELETE /api/svc/bookmark_folders/:id': NOTHING,
  'GET /api/v1/filters': NOTHING,
  'POST /api/v1/filters': OLDER_FILTER,
  'GET /api/v1/filters/:id': NOTHING,
  'PUT /api/v1/filters/:id': OLDER_FILTER,
  'DELETE /api/v1/filters/:id': NOTHING,
  'GET /api/v2/filters': NOTHING,
  'POST /api/v2/filters': FILTER,
  'GET /api/v2/filters/:id': NOTHING,
  'PUT /api/v2/filters/:id': FILTER,
  'DELETE /api/v2/filters/:id': NOTHING,
  'GET /api/v2/filters/:filter_id/keywords': NOTHING,
  'POST /api/v2/filters/:filter_id/keywords': KEYWORD,
  'GET /api/v2/filters/keywords/:id': NOTHING,
  'PUT /api/v2/filters/keywords/:id': KEYWORD,
  'DELETE /api/v2/filters/keywords/:id': NOTHING,
  'GET /api/v2/filters/:filter_id/statuses': NOTHING,
  'POST /api/v2/filters/:filter_id/statuses': { fields: { status_id: 'id' } },
  'GET /api/v2/filters/statuses/:id': NOTHING,
  'DELETE /api/v2/filters/statuses/:id': NOTHING,
};
