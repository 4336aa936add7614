import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

const APP = { name: 'text', redirect_uris: 'texts', scopes: 'texts', website: 'text' } as const;
const RULE = { text: 'text', hint: 'text', priority: 'whole' } as const;
const ANNOUNCEMENT = { content: 'text', starts_at: 'text', ends_at: 'text' } as const;

/** Routes under both prefixes of the administrative API. */
function onBothPrefixes(routes: Readonly<Record<string, RouteInput>>): Record<string, RouteInput> {
  return Object.fromEntries(
    Object.entries(routes).flatMap(([route, input]) =>
      ['/api/v1/svc/admin/', '/api/svc/admin/'].map((prefix) => [route.replace(' ', ` ${prefix}`), input]),
    ),
  );
}

/** The input of the administrative routes for reports, statuses, apps and what the server says about itself. */
export const MODERATION_INPUTS: Readonly<Record<string, RouteInput>> = onBothPrefixes({
  'GET reports': { fields: { state: 'word', assigned_account: 'id' } },
  'GET grouped_reports': NOTHING,
  'GET reports/:id': NOTHING,
  'PATCH reports': {
    fields: { reports: 'objects', 'reports.0.id': 'text', 'reports.0.state': 'text' },
  },
  'POST reports/assign_account': {
    fields: { reports: 'objects', 'reports.0.id': 'text', 'reports.0.nickname': 'text' },
  },
  'POST reports/:id/notes': { fields: { content: 'text' } },
  'DELETE reports/:report_id/notes/:id': NOTHING,
  'GET statuses': NOTHING,
  'GET statuses/:id': NOTHING,
  'PUT statuses/:id': { fields: { visibility: 'word' } },
  'DELETE statuses/:id': NOTHING,
  'GET stats': { fields: { instance: 'text' } },
  'GET oauth_app': { fields: { name: 'text', client_id: 'text' } },
  'POST oauth_app': { fields: APP },
  'PATCH oauth_app/:id': { fields: APP },
  'DELETE oauth_app/:id': NOTHING,
  'GET rules': NOTHING,
  'POST rules': { fields: RULE, beside: { text: 'Be kind' } },
  'PATCH rules/:id': { fields: RULE },
  'DELETE rules/:id': NOTHING,
  'GET announcements': NOTHING,
  'POST announcements': { fields: ANNOUNCEMENT, beside: { content: 'We move' } },
  'GET announcements/:id': NOTHING,
  'PATCH announcements/:id': { fields: ANNOUNCEMENT },
  'DELETE announcements/:id': NOTHING,
  'GET instance_document/:document_name': NOTHING,
  'PATCH instance_document/:document_name': { fields: { file: 'file' } },
  'DELETE instance_document/:document_name': NOTHING,
  'GET instances/:instance/statuses': { fields: {}, names: true },
});
