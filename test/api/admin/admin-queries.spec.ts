import { makeStatuses } from '../../support/fixtures/factories.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { countQueries } from '../../support/queries.js';
import { useApp } from '../../support/servers/app.js';

const ADMIN = '/api/v1/svc/admin';
const MANY = 20;

const app = useApp({ once: [] });
let root: Client;

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
  const names = Array.from({ length: MANY }, (_, at) => `person${at}`);
  await app.world.persons(...names);
  for (const name of names) {
    const [status_id] = await makeStatuses(app, name, 1);
    const client = await app.world.as('root');
    const values = { account_id: app.world.id(name), status_ids: [status_id], comment: name };
    await client.post('/api/v1/reports', values).expect(200);
    await root.put(`${ADMIN}/users/tag`, { nicknames: [name], tags: ['tea'] }).expect(204);
    await root.post(`${ADMIN}/oauth_app`, { name, redirect_uris: 'https://app.test', scopes: 'read' }).expect(200);
  }
  await makeStatuses(app, 'person0', MANY);
});

/**
 * A list, the field of its answer with the entries, and the statements of a page except the one that identifies the
 * caller.
 */
const LISTS: readonly [path: string, entries: string | undefined, statements: number][] = [
  ['users', 'users', 2],
  ['reports', 'reports', 5],
  ['statuses', undefined, 5],
  ['users/person0/statuses', 'activities', 7],
  ['moderation_log', 'items', 2],
  ['oauth_app', 'apps', 2],
];

describe('the statements of a list for administrators', () => {
  it.each(LISTS)('of %s are the same for one entry and for many', async (path, entries, statements) => {
    const ask = (page_size: number) => ok<object>(root.get(`${ADMIN}/${path}`, { page_size }));
    for (const size of [1, MANY]) {
      await ask(size); // fills the cache of bodies
      app.invalidateReads();
      const { statements: sent, result } = await countQueries(() => ask(size));
      const list = entries === undefined ? result : (result as Record<string, unknown>)[entries];
      expect({
        size,
        found: (list as unknown[]).length,
        count: sent.filter((name) => name !== 'oauth.resolve').length,
      }).toEqual({
        size,
        found: size,
        count: statements,
      });
    }
  });
});
