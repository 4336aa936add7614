import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

/** The input of the administrative routes. */
export const ADMIN_INPUTS = belowBothPrefixes({
  'GET admin/config': NOTHING,
  'POST admin/config': {
    fields: {
      configs: 'objects',
      'configs.0.group': 'text',
      'configs.0.key': 'text',
      'configs.0.value': 'object',
      'configs.0.subkeys': 'texts',
    },
    beside: { configs: [{ group: ':svc', key: ':instance', value: [] }] },
  },
  'GET admin/config/descriptions': NOTHING,
  'GET admin/need_reboot': NOTHING,
  'GET admin/restart': NOTHING,
  'GET admin/media_proxy_caches': { fields: { query: 'text' } },
  'POST admin/media_proxy_caches/delete': { fields: { urls: 'texts' } },
  'POST admin/media_proxy_caches/purge': { fields: { urls: 'texts' } },
  'GET admin/users/:nickname/chats': NOTHING,
  'GET admin/chats/:chat_id': NOTHING,
  'GET admin/chats/:chat_id/messages': { fields: {}, paged: true },
  'DELETE admin/chats/:chat_id/messages/:message_id': NOTHING,
});
