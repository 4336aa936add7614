import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const PAGED: RouteInput = { fields: {}, paged: true };

/** The input of the routes by which people write to each other: posts, polls, conversations, and posts for later. */
export const WRITING_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /api/v1/statuses': {
    fields: {
      status: 'text',
      content_type: 'text',
      spoiler_text: 'text',
      visibility: 'text',
      language: 'text',
      in_reply_to_id: 'id',
      to: 'texts',
      expires_in: 'whole',
      media_ids: 'many ids',
      poll: 'object',
      'poll.options': 'texts',
      'poll.expires_in': 'whole',
      scheduled_at: 'text',
      quote_id: 'id',
      quoted_status_id: 'id',
      in_reply_to_conversation_id: 'id',
    },
    beside: { status: 'fine' },
  },
  'PUT /api/v1/statuses/:id': {
    fields: {
      status: 'text',
      content_type: 'text',
      spoiler_text: 'text',
      language: 'text',
      to: 'texts',
      media_ids: 'many ids',
      poll: 'object',
      'poll.options': 'texts',
      'poll.expires_in': 'whole',
    },
  },
  'GET /api/v1/statuses/:id/card': NOTHING,
  'GET /api/v1/statuses/:id/history': NOTHING,
  'GET /api/v1/scheduled_statuses': PAGED,
  'GET /api/v1/scheduled_statuses/:id': NOTHING,
  'PUT /api/v1/scheduled_statuses/:id': { fields: { scheduled_at: 'text' } },
  'DELETE /api/v1/scheduled_statuses/:id': NOTHING,
  'GET /api/v1/polls/:id': NOTHING,
  'POST /api/v1/polls/:id/votes': { fields: { choices: 'whole' } },
  'GET /api/v1/conversations': { fields: { recipients: 'ids' }, paged: true },
  'POST /api/v1/conversations/:id/read': NOTHING,
  'DELETE /api/v1/conversations/:id': NOTHING,
  'GET /api/v1/svc/conversations/:id': NOTHING,
  'GET /api/svc/conversations/:id': NOTHING,
  'PATCH /api/v1/svc/conversations/:id': { fields: { recipients: 'ids' } },
  'PATCH /api/svc/conversations/:id': { fields: { recipients: 'ids' } },
  'GET /api/v1/svc/statuses/:id/quotes': PAGED,
  'GET /api/svc/statuses/:id/quotes': PAGED,
  'GET /api/v1/svc/conversations/:id/statuses': PAGED,
  'GET /api/svc/conversations/:id/statuses': PAGED,
  'POST /api/v1/svc/conversations/read': NOTHING,
  'POST /api/svc/conversations/read': NOTHING,
};
