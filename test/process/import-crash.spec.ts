import { fileURLToPath } from 'node:url';
import { startApp } from '../support/servers/app.js';
import { urlOf } from '../support/servers/ctl.js';
import { holding } from '../support/locks.js';
import { Scratch, until } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const LISTED = 400;

const scratch = new Scratch();
afterAll(() => scratch.remove());

describe('J1 J2 an accepted import list', () => {
  it('is processed completely, each account once, when the server is killed in the middle', async () => {
    const app = await startApp();
    try {
      await app.world.person('alice');
      await app.sql(
        `with new as (
           insert into accounts (id, nickname, ap_id)
           select 'many' || lpad(n::text, 14, '0'), 'many' || n, 'https://svc.test/users/many' || n
           from generate_series(1, ${LISTED}) n returning id)
         insert into account_stats (account_id) select id from new`,
      );
      const list = Array.from({ length: LISTED }, (_, at) => `many${at + 1}`).join('\n');
      await (await app.world.as('alice')).post('/api/svc/follow_import', { list }).expect(200);
      const count = async (what: string) =>
        (await app.sql<{ n: number }>(`select count(*)::int as n from ${what}`))[0]!.n;

      await holding(app, async (holder) => {
        // the last account has to wait, so that the server cannot finish before the kill
        await holder.query('select from account_stats where account_id = (select max(id) from accounts) for update');
        const server = scratch.run(process.execPath, [MAIN], {
          env: {
            DATA_DIR: app.env.dataDir,
            DATABASE_URL: urlOf(app.address),
            PORT: '0',
            LOG_LEVEL: 'error',
            SECRET_KEY: 'ab'.repeat(32),
          },
        });
        await until('some follows', async () => (await count('follows')) > LISTED / 20 || undefined);
        process.kill(server.pid, 'SIGKILL');
        await server.ended;
      });
      await until('the end of its transaction', async () => {
        const open = await count(
          `pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
        );
        return open === 0 || undefined;
      });

      const [done, left] = [await count('follows'), await count('import_entries')];
      expect(left).toBeGreaterThan(0);
      expect(done + left).toBe(LISTED);
      await app.sql('update jobs set run_at = now()'); // ends the leases of the dead server
      await app.drain();
      expect(await count('import_entries')).toBe(0);
      expect((await app.world.account('alice'))?.followingCount).toBe(LISTED);
      expect(await count(`account_stats where followers_count <> 1 and account_id like 'many%'`)).toBe(0);
    } finally {
      await app.close();
    }
  });
});
