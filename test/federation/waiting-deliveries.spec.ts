import { HostsService } from '../../src/federation/index.js';
import { DeliveryService } from '../../src/federation/outbox/delivery.service.js';
import { WaitingDeliveriesService } from '../../src/federation/outbox/waiting-deliveries.service.js';
import { INBOX_HOST_ADDRESS, type InboxHost, startInboxHost } from '../support/federation/inbox-host.js';
import { makeFollows } from '../support/fixtures/factories.js';
import { post } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

/** More than two slices. */
const MANY = 2_500;

const app = useApp({ people: ['alice'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
let far: InboxHost;

const count = async (condition: string) =>
  (await app.sql<{ count: number }>(`select count(*)::int from deliveries where ${condition}`))[0]!.count;
const jobs = async () =>
  (await app.sql<{ name: string }>(`select name from jobs where name like 'deliver.%' order by name`)).map(
    ({ name }) => name,
  );

/** A host that was away while very many deliveries to it were tried. */
beforeEach(async () => {
  far = await startInboxHost();
  await makeFollows(app, [await far.account(app, 'zoe')], app.world.id('alice'));
  far.answer(() => 'hang up');
  await post(app, 'alice', 'one');
  await app.drain();
  await app.sql(
    `insert into deliveries (host, inbox, activity_id, object, next_at)
     select host, inbox || '?' || n, activity_id, n, now() + n * interval '1 minute' from deliveries, generate_series(2, $1) n`,
    [MANY],
  );
});
afterEach(() => far.close());

describe('very many deliveries that wait for a host', () => {
  it('are released in parts when it is back, the next ones first and the others by jobs', async () => {
    await app.get(HostsService).markReachable(far.host);
    const waiting = await count('next_at > now()');
    expect([waiting, await jobs()]).toEqual([MANY - 1_000, ['deliver.probe-host', 'deliver.release']]);
    expect(await count(`next_at > now() and object ~ '^[0-9]+$' and object::int <= 1000`)).toBe(0);
    await app.sql(`delete from jobs where name = 'deliver.probe-host'`); // it has ended meanwhile
    for (const left of [MANY - 2_000, 0]) {
      await app.get(WaitingDeliveriesService).releaseMore({ host: far.host });
      expect(await count('next_at > now()')).toBe(left);
      expect(await jobs()).toContain('deliver.probe-host');
    }
    expect(await rowsRead(app, 'deliveries.release', [far.host, 10])).toBeLessThan(30);
  });

  it('are dropped in parts when it is given up', async () => {
    await app.sql(`update hosts set unreachable_since = now() - interval '8 days', probe_at = now()`);
    await app.sql('update deliveries set next_at = now()');
    await app.get(DeliveryService).resumeHosts();
    const { statements } = await countQueries(() => app.drain());
    expect(await count('true')).toBe(0);
    expect(statements.filter((name) => name === 'deliveries.drop_of_host')).toHaveLength(3);
    expect(await jobs()).toEqual([]);
  });

  it('stay when it was given up and works again before all were dropped, unless they are old', async () => {
    await app.sql(`update deliveries set created_at = now() - interval '3 days' where id % 2 = 0`);
    await app.get(WaitingDeliveriesService).dropMore({ host: far.host });
    await app.drain();
    expect([await count('id % 2 = 0'), await count('true')]).toEqual([0, MANY / 2]);
  });
});
