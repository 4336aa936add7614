import { useApp } from '../../support/servers/app.js';
import { makeFans, makeStatuses } from '../../support/fixtures/factories.js';
import { ok } from '../../support/fixtures/statuses.js';
import { countQueries } from '../../support/queries.js';

const INSTANCES = '/api/v1/svc/admin/instances';

const app = useApp({ once: [] });
beforeAll(async () => {
  await app.world.person('root', { admin: true });
  await app.world.remote('kept', 'other.test');
});

describe('the deletion of a server', () => {
  it('deletes its accounts and their posts in batches, and nothing of other servers', async () => {
    const root = await app.world.as('root', 'admin');
    await makeFans(app, 120, 'far.test');
    await app.world.remote('zoe', 'far.test');
    await makeStatuses(app, 'zoe@far.test', 2);
    await makeStatuses(app, 'kept@other.test', 1);
    expect(await ok(root.delete(`${INSTANCES}/FAR.test`))).toBe('far.test');
    expect(await ok(root.delete(`${INSTANCES}/far.test`))).toBe('far.test'); // requested twice, done once
    const { statements } = await countQueries(() => app.drain());
    // One look finds many, one that none is left.
    expect(statements.filter((name) => name === 'accounts.ids_of_server')).toHaveLength(2);
    await root.delete(`${INSTANCES}/far.test`).expect(404);
    const left = await app.sql(`select domain, count(*)::int as accounts from accounts
      where domain is not null and deleted_at is null group by domain`);
    expect(left).toEqual([{ domain: 'other.test', accounts: 1 }]);
    expect(await app.sql('select count(*)::int as posts from statuses')).toEqual([{ posts: 1 }]);
    expect(await app.sql(`select from jobs where name = 'admin.delete-instance'`)).toEqual([]);
  });

  it('is refused for this server and for unknown servers', async () => {
    const root = await app.world.as('root', 'admin');
    await root.delete(`${INSTANCES}/svc.test`).expect(403, { error: 'This server cannot be deleted' });
    await root.delete(`${INSTANCES}/no%20server`).expect(404, { error: 'Not found' });
  });
});
