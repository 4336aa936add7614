import { RouteCatalogue } from '../../src/instance/openapi/route-catalogue.js';
import { useApp } from '../support/servers/app.js';

/** Routes that never succeed, return a page, or only redirect. */
const WITHOUT = [
  'GET /api/account/confirm_email/:user_id/:token',
  'GET /api/svc/password_reset/:token',
  'GET /api/v1/featured_tags',
  'GET /api/v1/streaming',
  'GET /api/v1/svc/password_reset/:token',
  'POST /api/svc/password_reset',
  'POST /api/v1/svc/password_reset',
];
const NO_CONTENT = 204;

describe('the routes of the API', () => {
  const app = useApp({ once: [] });

  it('declare their answers with @Answers', () => {
    const routes = app.get(RouteCatalogue).all();
    const answering = routes.filter(({ path, status }) => path.startsWith('/api/') && status !== NO_CONTENT);
    const silent = answering.filter(({ answer }) => answer === undefined);
    expect(silent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(WITHOUT);
  });
});
