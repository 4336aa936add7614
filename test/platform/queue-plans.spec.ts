import { declaredStatements } from '../../src/platform/index.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ once: [] });

describe('A queue that was emptied', () => {
  it('is read by its indexes, for the next burst of rows', async () => {
    await app.sql(
      `insert into activities (uri, type, body) select 'https://here.example/' || n, 'Create', '{}' from generate_series(1, 1000) n`,
    );
    await app.sql(
      `insert into deliveries (host, inbox, activity_id, object)
       select 'h' || id || '.example', 'https://h.example/inbox', id, uri from activities`,
    );
    await app.sql('delete from deliveries');
    await app.sql('vacuum (analyze) deliveries');
    const plan = await app.sql(`explain (generic_plan) ${declaredStatements().get('deliveries.due')}`);
    expect(JSON.stringify(plan)).not.toContain('Seq Scan on deliveries');
  });
});
