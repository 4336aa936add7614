import { FollowsService } from '../../src/accounts/index.js';
import { DocumentFetcher } from '../../src/federation/fetch/document-fetcher.js';
import { RemoteActors } from '../../src/federation/fetch/remote-actors.js';
import { HostsRepository } from '../../src/federation/outbox/hosts.repository.js';
import { HostsService } from '../../src/federation/index.js';
import { newKey, type RawActor, RawPeer, sendTo, startBeside } from '../support/federation/raw-peer.js';
import { DeliveryService } from '../../src/federation/outbox/delivery.service.js';
import { WaitingDeliveriesService } from '../../src/federation/outbox/waiting-deliveries.service.js';
import { INBOX_HOST_ADDRESS, type InboxHost, startInboxHost } from '../support/federation/inbox-host.js';
import { makeFollows } from '../support/fixtures/factories.js';
import { post } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp, type TestApp } from '../support/servers/app.js';
/** A server that was away gets what waited for it as soon as anything shows that it works again (threat J4). */
describe('A server that was away', () => {
  let peer: RawPeer;
  let app: TestApp;
  let mo: RawActor;
  const key = newKey();

  beforeEach(async () => {
    peer = await RawPeer.start();
    app = await startBeside(peer);
    await app.world.person('ada');
    mo = peer.actor('mo', key);
    const actor = await app.get(RemoteActors).resolve(mo.uri);
    await app.get(FollowsService).follow(actor!.id, app.world.id('ada'));
    await app.drain();
    peer.received.length = 0;
    peer.answers.set('/users/mo/inbox', { status: 503 });
    for (const status of ['one', 'two', 'three'])
      await (await app.world.as('ada')).post('/api/v1/statuses', { status }).expect(200);
    await app.drain();
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 60_000); // the earlier mark no longer counts
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.close();
    await peer.close();
  });

  const creates = () => peer.received.filter(({ type }) => type === 'Create').length;

  it.each<[string, string, () => Promise<unknown>]>([
    [
      'failing',
      'sends an activity',
      () => sendTo(app, mo, { id: `${mo.uri}#1`, type: 'Like', object: 'https://x.example/1' }),
    ],
    ['failing', 'answers a request', () => app.get(DocumentFetcher).fetch(mo.uri)],
    [
      'dead',
      'sends an activity',
      () => sendTo(app, mo, { id: `${mo.uri}#1`, type: 'Like', object: 'https://x.example/1' }),
    ],
  ])('and has the state %s gets its deliveries when it %s', async (state, _what, live) => {
    await app.sql(`update hosts set state = $1, probe_at = now() + interval '1 hour'`, [state]);
    const before = creates();
    await app.drain();
    expect(creates()).toBe(before);
    peer.answers.set('/users/mo/inbox', { status: 202 });
    await live();
    await app.drain();
    expect(creates()).toBe(before + 3);
    expect(await app.sql('select from deliveries')).toEqual([]);
    expect(await app.sql(`select from hosts where state <> 'ok' or unreachable_since is not null`)).toEqual([]);
  });

  it('is marked as reachable by its next request when the database failed at the first', async () => {
    await app.sql(`update hosts set state = 'failing', probe_at = now() + interval '1 hour'`);
    const mark = jest.spyOn(app.get(HostsRepository), 'markReachable').mockRejectedValueOnce(new Error('away'));
    await expect(app.get(HostsService).markReachable(peer.host)).rejects.toThrow('away');
    await app.get(HostsService).markReachable(peer.host);
    mark.mockRestore();
    expect(await app.sql('select state from hosts')).toEqual([{ state: 'ok' }]);
  });

  it('and asked for a pause gets no delivery before its end', async () => {
    await app.sql(`update hosts set unreachable_since = null, state = 'failing', probe_at = now() + interval '1 hour'`);
    const before = creates();
    peer.answers.set('/users/mo/inbox', { status: 202 });
    await app.get(DocumentFetcher).fetch(mo.uri);
    await app.drain();
    expect(creates()).toBe(before);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['sends an activity', () => sendTo(app, mo, { id: `${mo.uri}#2`, type: 'Like', object: 'https://x.example/1' })],
    ['is tried again by the operator', () => app.get(HostsService).retry(peer.host)],
    ['takes another delivery', () => app.get(HostsRepository).reached(peer.host, 'cavage')],
  ])('and answered once that its inbox is gone gets deliveries again when it %s an hour later', async (_what, live) => {
    peer.answers.set('/users/mo/inbox', { status: 410 });
    await app.get(HostsService).retry(peer.host);
    await app.drain();
    expect(await app.sql('select gone_inboxes as gone from hosts')).toEqual([{ gone: [`${mo.uri}/inbox`] }]);
    peer.answers.set('/users/mo/inbox', { status: 202 });
    await app.sql(`update hosts set reached_at = now() - interval '1 hour'`);
    await live();
    const before = creates();
    await (await app.world.as('ada')).post('/api/v1/statuses', { status: 'four' }).expect(200);
    await app.drain();
    expect(creates()).toBe(before + 1);
  });
});

describe('very many deliveries that wait for a host', () => {
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
