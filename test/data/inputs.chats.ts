import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

/** The input of chats. */
export const CHAT_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...belowBothPrefixes({
    'GET chats': NOTHING,
    'POST chats/by-account-id/:account_id': NOTHING,
    'GET chats/:id': NOTHING,
    'POST chats/:id/read': { fields: { last_read_id: 'id' } },
    'GET chats/:id/messages': { fields: {}, paged: true },
    'POST chats/:id/messages': { fields: { content: 'text', media_id: 'id' }, beside: { content: 'tea' } },
    'POST chats/:id/messages/:message_id/read': NOTHING,
    'DELETE chats/:chat_id/messages/:message_id': NOTHING,
  }),
  'GET /api/v2/svc/chats': { fields: {}, paged: true },
};
