import { FollowsService } from '../../src/accounts/index.js';
import { DocumentFetcher } from '../../src/federation/fetch/document-fetcher.js';
import { RemoteActors } from '../../src/federation/fetch/remote-actors.js';
import { HostsRepository } from '../../src/federation/outbox/hosts.repository.js';
import { HostsService } from '../../src/federation/index.js';
import { newKey, type RawActor, RawPeer, sendTo, startBeside } from '../support/federation/raw-peer.js';
import type { TestApp } from '../support/servers/app.js';

/** A server that was away gets what waited for it as soon as anything shows that it works again (threat J4). */
describe('A server that was away', () => {
  let peer: RawPeer;
  let app: TestApp;
  let mo: RawActor;
  const key = newKey();
  const now = Date.now;

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
    Date.now = () => now() + 60_000; // the earlier mark no longer counts
  });
  afterEach(async () => {
    Date.now = now;
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
