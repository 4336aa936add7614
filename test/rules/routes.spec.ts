import { listRoutes } from '../../src/common/index.js';
import { useApp } from '../support/servers/app.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';

describe('the route table', () => {
  const app = useApp({ once: [] });

  it('equals test/data/endpoints.tsv, including access and scopes', () => {
    const line = (route: { method: string; path: string; access: string; scopes: readonly string[] }) =>
      `${route.method} ${route.path} ${route.access} ${[...route.scopes].sort().join('|')}`;
    const built = listRoutes(app.nest)
      .map((route) => ({ ...route, path: route.path.replace(/\/$/, '') || '/' }))
      .map(line);
    expect(built.sort()).toEqual(builtEndpoints().map(line).sort());
  });

  it('answers unknown API paths with JSON for every method', async () => {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      for (const path of ['/api/v1/nothing', '/api/v9/x', '/api/svc/nothing/here', '/api']) {
        const answer = await app.http[method](path).expect(404);
        expect(answer.body).toEqual({ error: 'Not implemented' });
      }
    }
  });

  it('H20 returns 404 for probes of credentials', async () => {
    for (const path of ['/.env', '/.git/config', '/package.json', '/admin/queues', '/images/..%2f..%2fpackage.json']) {
      await app.http.get(path).expect(404);
    }
  });
});
