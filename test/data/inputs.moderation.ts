import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

/** Routes under both prefixes of the administrative API. */
function onBothPrefixes(routes: Readonly<Record<string, RouteInput>>): Record<string, RouteInput> {
  return Object.fromEntries(
    Object.entries(routes).flatMap(([route, input]) =>
      ['/api/v1/svc/admin/', '/api/svc/admin/'].map((prefix) => [route.replace(' ', ` ${prefix}`), input]),
    ),
  );
}

/** The input of the administrative routes for reports and statuses. */
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
  'GET instances/:instance/statuses': { fields: {}, names: true },
});
