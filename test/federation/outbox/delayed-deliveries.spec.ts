import { DeliveryService } from '../../../src/federation/outbox/delivery.service.js';
import { Worker } from '../../../src/platform/index.js';
import { INBOX_HOST_ADDRESS, type InboxHost, startInboxHost } from '../../support/federation/inbox-host.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

describe('After a clock that was ahead', () => {
  const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
  let far: InboxHost;

  beforeEach(async () => {
    const alice = (await app.world.person('alice')).id;
    far = await startInboxHost();
    await makeFollows(app, [await far.account(app, 'zoe')], alice);
  });
  afterEach(() => far.close());

  it.each([
    ['a delivery that failed', 500, `update deliveries set next_at = now() + $1`, ['14 hours', '16 hours']],
    ['a host that could not be reached', 'hang up', `update hosts set probe_at = now() + $1`, ['29 hours', '31 hours']],
  ] as const)('%s is tried again after its longest pause at the latest', async (_what, failure, wait, pauses) => {
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
  });
});
