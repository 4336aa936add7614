import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

const APP = { name: 'text', redirect_uris: 'texts', scopes: 'texts', website: 'text' } as const;
const RULE = { text: 'text', hint: 'text', priority: 'whole' } as const;
const ANNOUNCEMENT = { content: 'text', starts_at: 'text', ends_at: 'text' } as const;

/** The input of the administrative routes for reports, statuses, apps and what the server says about itself. */
export const MODERATION_INPUTS: Readonly<Record<string, RouteInput>> = belowBothPrefixes({
  'GET admin/reports': { fields: { state: 'word', assigned_account: 'id', rule_id: 'id' } },
  'GET admin/grouped_reports': NOTHING,
  'GET admin/reports/:id': NOTHING,
  'PATCH admin/reports': {
    fields: { reports: 'objects', 'reports.0.id': 'text', 'reports.0.state': 'text' },
  },
  'POST admin/reports/assign_account': {
    fields: { reports: 'objects', 'reports.0.id': 'text', 'reports.0.nickname': 'text' },
  },
  'POST admin/reports/:id/notes': { fields: { content: 'text' } },
  'DELETE admin/reports/:report_id/notes/:id': NOTHING,
  'GET admin/statuses': NOTHING,
  'GET admin/statuses/:id': NOTHING,
  'PUT admin/statuses/:id': { fields: { visibility: 'word' } },
  'DELETE admin/statuses/:id': NOTHING,
  'GET admin/stats': { fields: { instance: 'text' } },
  'GET admin/oauth_app': { fields: { name: 'text', client_id: 'text' } },
  'POST admin/oauth_app': { fields: APP },
  'PATCH admin/oauth_app/:id': { fields: APP },
  'DELETE admin/oauth_app/:id': NOTHING,
  'GET admin/rules': NOTHING,
  'POST admin/rules': { fields: RULE, beside: { text: 'Be kind' } },
  'PATCH admin/rules/:id': { fields: RULE },
  'DELETE admin/rules/:id': NOTHING,
  'GET admin/announcements': NOTHING,
  'POST admin/announcements': { fields: ANNOUNCEMENT, beside: { content: 'We move' } },
  'GET admin/announcements/:id': NOTHING,
  'PATCH admin/announcements/:id': { fields: ANNOUNCEMENT },
  'DELETE admin/announcements/:id': NOTHING,
  'GET admin/relay': NOTHING,
  'POST admin/relay': { fields: { relay_url: 'text' } },
  'DELETE admin/relay': { fields: { relay_url: 'text' } },
  'GET admin/frontends': NOTHING,
  'POST admin/frontends/install': {
    fields: { name: 'text', ref: 'text', file: 'text', build_url: 'text', build_dir: 'text' },
    beside: { name: 'tea' },
  },
  'GET admin/instance_document/:document_name': NOTHING,
  'PATCH admin/instance_document/:document_name': { fields: { file: 'file' } },
  'DELETE admin/instance_document/:document_name': NOTHING,
  'GET admin/instances/:instance/statuses': { fields: {}, names: true },
});
