import type { RouteInput } from './inputs.js';

/** Routes under both prefixes of the administrative API. */
function onBothPrefixes(routes: Readonly<Record<string, RouteInput>>): Record<string, RouteInput> {
  return Object.fromEntries(
    Object.entries(routes).flatMap(([route, input]) =>
      ['/api/v1/svc/admin/', '/api/svc/admin/'].map((prefix) => [route.replace(' ', ` ${prefix}`), input]),
    ),
  );
}

/** The input of the administrative routes for users, and of the moderation log. */
export const ADMIN_USER_INPUTS: Readonly<Record<string, RouteInput>> = onBothPrefixes({
  'GET moderation_log': { fields: { start_date: 'text', end_date: 'text', user_id: 'id', search: 'text' } },
});
