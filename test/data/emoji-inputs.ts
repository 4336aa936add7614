import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const PACK: RouteInput = { fields: { name: 'text' } };
const DESCRIPTION: RouteInput = {
  fields: {
    name: 'text',
    metadata: 'object',
    'metadata.license': 'text',
    'metadata.homepage': 'text',
    'metadata.description': 'text',
    'metadata.fallback-src': 'text',
    'metadata.fallback-src-sha256': 'text',
  },
};
const NEW_FILE: RouteInput = {
  fields: { name: 'text', file: 'text', shortcode: 'text', filename: 'text' },
  beside: { name: 'Tea', file: 'https://a.example/tea.png' },
};
const FILE_CHANGES: RouteInput = {
  fields: { name: 'text', shortcode: 'text', new_shortcode: 'text', new_filename: 'text' },
  beside: { name: 'Tea', shortcode: 'tea', new_shortcode: 'milk', new_filename: 'milk.png' },
};

/** What each route takes below both prefixes of the service's own API. */
const BELOW_SVC: Readonly<Record<string, RouteInput>> = {
  'POST admin/reload_emoji': NOTHING,
  'GET emoji': NOTHING,
  'GET emoji/pack': PACK,
  'POST emoji/pack': PACK,
  'PATCH emoji/pack': DESCRIPTION,
  'DELETE emoji/pack': PACK,
  'GET emoji/packs': NOTHING,
  'GET emoji/packs/import': NOTHING,
  'GET emoji/packs/remote': { fields: { url: 'text' } },
  'GET emoji/packs/archive': PACK,
  'POST emoji/packs/download': { fields: { url: 'text', name: 'text', as: 'text' } },
  'POST emoji/packs/download_zip': { fields: { name: 'text', url: 'text', file: 'file' }, beside: { name: 'Tea' } },
  'POST emoji/packs/files': NEW_FILE,
  'PATCH emoji/packs/files': FILE_CHANGES,
  'DELETE emoji/packs/files': { fields: { name: 'text', shortcode: 'text' }, beside: { name: 'Tea', shortcode: 'tea' } },
};

/** The input of the routes about custom emoji and their packs. */
export const EMOJI_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...belowBothPrefixes(BELOW_SVC),
  'GET /api/v1/custom_emojis': NOTHING,
  'GET /emoji/*path': NOTHING,
};
