import { DeliveryService } from '../../../src/federation/outbox/delivery.service.js';
import { Worker } from '../../../src/platform/index.js';
import { INBOX_HOST_ADDRESS, type InboxHost, startInboxHost } from '../../support/federation/inbox-host.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

describe('Deliveries', () => {
  const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
  let far: InboxHost;

  beforeEach(async () => {
    const alice = (await app.world.person('alice')).id;
    far = await startInboxHost();
    await makeFollows(app, [await far.account(app, 'zoe')], alice);
  });
  afterEach(() => far.close());

  it.each([
    ['that failed', 500, `update deliveries set next_at = now() + $1`, ['14 hours', '16 hours']],
    [
      'to a host that could not be reached',
      'hang up',
      `update hosts set probe_at = now() + $1`,
      ['29 hours', '31 hours'],
    ],
  ] as const)(
    '%s are tried again after their longest pause at the latest when a clock was ahead',
    async (_what, failure, wait, pauses) => {
      far.answer(() => failure);
      await post(app, 'alice', 'hello');
      await app.drain();
      far.received();
      far.answer(() => 202);
      const sent: number[] = [];
      for (const pause of pauses) {
        await app.sql('update deliveries set next_at = now()');
        await app.sql(wait.replace('$1', `interval '${pause}'`));
        await app.get(Worker).enqueueRecurring();
        await app.sql(`update jobs set run_at = now() where key like 'recurring:%'`);
        await app.drain();
        await app.get(DeliveryService).resumeHosts();
        await app.drain();
        sent.push(far.received().length);
      }
      expect(sent).toEqual([0, 1]);
    },
  );

  it('S13 do not wait for link previews, which are in another queue', async () => {
    await post(app, 'alice', 'see https://pages.example/tea');
    const jobs = await app.sql<{ name: string; queue: string }>(
      `select distinct name, queue from jobs where name in ('cards.fetch', 'federation.send-created') order by name`,
    );
    expect(jobs).toEqual([
      { name: 'cards.fetch', queue: 'pages' },
      { name: 'federation.send-created', queue: 'federate' },
    ]);
  });
});
