import { migrate } from '../../../src/migrate.js';
import { migrations } from '../../../src/migrations/index.js';
import { Database, firstFlakeAt } from '../../../src/platform/index.js';
import { createApp } from '../../../src/server.js';
import { useApp } from '../../support/servers/app.js';
import { makeDatabase } from '../../support/servers/database.js';

const HOUR_MS = 3_600_000;

describe('the database', () => {
  const app = useApp({ once: ['alice'] });

  it('D5 without a free connection leads to 503 until a connection is free', async () => {
    const { pool } = app.get(Database);
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const answer = await app.http.get('/api/v1/timelines/public');
    held.forEach((client) => client.release());
    expect(answer.status).toBe(503);
    expect(answer.get('retry-after')).toMatch(/^\d+$/);
    await app.http.get('/api/v1/timelines/public').expect(200);
  });

  it('D6 with posts from the future (a restore, a clock set back) continues with later ids', async () => {
    const alice = await app.world.as('alice');
    const future = firstFlakeAt(Date.now() + HOUR_MS);
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, local) values ($1, $2, 'https://svc.test/objects/future', 0, true)`,
      [future, app.world.id('alice')],
    );
    const restarted = await createApp(app.env, app.address);
    try {
      await restarted.listen(0, '127.0.0.1');
      const answer = await fetch(`${await restarted.getUrl()}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'after the restore' }),
      });
      const { id } = (await answer.json()) as { id: string };
      expect(id > future).toBe(true);
    } finally {
      await restarted.close();
    }
  });

  it('D9 is migrated by one of two servers that start at the same time, and not by the next one', async () => {
    const database = await makeDatabase('template1');
    try {
      const ran = await Promise.all([migrate(database.address), migrate(database.address)]);
      expect(ran.map((names) => names.length).sort((a, b) => a - b)).toEqual([0, migrations.length]);
      expect(await migrate(database.address)).toEqual([]);
    } finally {
      await database.drop();
    }
  });
});
