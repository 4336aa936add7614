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
});
