import { AccountDeletionService } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { DiscoverAccount } from '../../src/federation/fetch/account-discovery.service.js';
import { ConfirmMove } from '../../src/federation/fetch/remote-actors.js';
import { AccountActivitiesService } from '../../src/federation/outbox/account-activities.service.js';
import { DeliveryService } from '../../src/federation/outbox/delivery.service.js';
import { OutboxService } from '../../src/federation/outbox/outbox.service.js';
import { FetchStatuses } from '../../src/federation/fetch/remote-status-fetcher.js';
import { Jobs, UnitOfWork } from '../../src/platform/index.js';
import { cavageHeaders, newKey, type RawActor, sendTo, useBeside, usePeer } from '../support/federation/raw-peer.js';
import { InboxDrainService } from '../../src/federation/inbox/inbox-drain.service.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;

const AP = 'application/activity+json';
const HTML = 'text/html';
const FOR_SERVERS =
  /^\/(\.well-known\/(webfinger|host-meta)|objects|activities|contexts|quotes|relay|internal|schemas|users|inbox)/;
const FEED = /\/feed(\.\w+)?$/;
const ROUTES = builtEndpoints().filter(({ path }) => FOR_SERVERS.test(path) && !FEED.test(path));

describe('A server that does not federate', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let ada: Client;
  let mo: RawActor;
  let moId: string;
  let turn = 0;
  let post: Readonly<Record<'id' | 'uri' | 'context' | 'reblog' | 'consent', string>>;
  const key = newKey();
  const federate = (value: boolean) => app.get(SettingsService).update([{ path: 'instance.federating', value }]);

  beforeAll(async () => {
    ada = await app.world.as('ada');
    const { id, uri } = await ok<{ id: string; uri: string }>(ada.post('/api/v1/statuses', { status: 'tea' }));
    await ok(ada.post(`/api/v1/statuses/${id}/reblog`));
    await ok((await app.world.as('ben')).post('/api/v1/statuses', { status: 'see', quote_id: id }));
    const [row] = await app.sql<Omit<typeof post, 'id' | 'uri'>>(
      `select c.uri as context, r.uri as reblog, q.quote_approval as consent
       from statuses s join conversations c on c.id = s.conversation_id
       join statuses r on r.reblog_of_id = s.id join statuses q on q.quote_of_id = s.id where s.id = $1`,
      [id],
    );
    post = { id, uri, ...row! };
    mo = peer.actor('mo', key);
    peer.answers.set('/users/mo/inbox', { status: 202 });
    await sendTo(app, mo, { id: `${mo.uri}#follow`, type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
    moId = (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;
  });
  beforeEach(async () => {
    turn += 1;
    await federate(false);
    peer.seen.length = 0;
  });
  afterEach(() => federate(true));

  const pathOf = (path: string): string => {
    const [, kind] = path.split('/');
    const uri = { activities: post.reblog, contexts: post.context, quotes: post.consent }[kind ?? ''] ?? post.uri;
    const filled = path
      .replace(':nickname', 'ada')
      .replace(':id', post.id)
      .replace(':uuid', uri.split('/').at(-1) ?? '');
    return filled.endsWith('webfinger') ? `${filled}?resource=acct:ada@svc.test` : filled;
  };
  const fetched = (path: string, accept = AP) =>
    app.http.get(path).set({ ...cavageHeaders(mo, app.env.baseUrl + path), accept });
  const note = (path: string, changes: Json = {}): Json => ({
    id: `${peer.url}${path}`,
    type: 'Note',
    attributedTo: mo.uri,
    to: ['https://www.w3.org/ns/activitystreams#Public'],
    cc: [`${app.env.baseUrl}/users/ada`],
    content: 'tea',
    ...changes,
  });
  const served = (path: string) => {
    peer.answers.set(path, note(path));
    return `${peer.url}${path}`;
  };

  it.each(ROUTES.filter(({ method }) => method === 'GET'))('does not serve $path', async ({ path }) => {
    await fetched(pathOf(path)).expect(404);
    await federate(true);
    await fetched(pathOf(path)).expect(200);
  });

  it('serves its root only as a web page', async () => {
    const root = async () => (await app.http.get('/').set('accept', AP)).headers['content-type'];
    expect(await root()).toMatch(/^text\/html/);
    await federate(true);
    expect(await root()).toMatch(/^application\/activity\+json/);
  });

  it.each(ROUTES.filter(({ method }) => method === 'POST'))('refuses activities at $path', async ({ path }) => {
    const inbox = pathOf(path);
    const body = JSON.stringify({ id: `${mo.uri}#${turn}`, type: 'Like', actor: mo.uri, object: post.uri });
    const send = () => {
      const headers = cavageHeaders(mo, app.env.baseUrl + inbox, { body });
      return app.http.post(inbox).set(headers).send(body);
    };
    await send().expect(404);
    await federate(true);
    await send().expect(202);
    await app.drain();
  });

  it.each(['/users/ada', '/objects/:uuid', '/objects/:uuid/activity', '/users/ada/statuses/:id'])(
    'leads browsers from %s to the page',
    async (path) => {
      const { headers } = await fetched(pathOf(path), HTML).expect(302);
      expect(headers['location']).toMatch(/\/(@ada|notice\/\w+)$/);
    },
  );

  it('reports this in its NodeInfo', async () => {
    const { body } = await app.http.get('/nodeinfo/2.1').expect(200);
    expect(body).toMatchObject({ metadata: { federation: { enabled: false } } });
  });

  it.each<[string, (address: string) => Promise<unknown>]>([
    ['for the address of a post', (address) => ok(ada.get('/api/v2/search', { q: address, resolve: true }))],
    [
      'for the address of an account',
      () => ok(ada.get('/api/v2/search', { q: `${peer.url}/users/new`, resolve: true })),
    ],
    ['for a handle', () => ok(ada.get('/api/v2/search', { q: `@new@${peer.host}`, resolve: true }))],
    [
      'for a handle in a search for accounts',
      () => ok(ada.get('/api/v1/accounts/search', { q: `@new@${peer.host}`, resolve: true })),
    ],
    ['for a handle that a post mentions', () => ok(ada.post('/api/v1/statuses', { status: `@new@${peer.host}` }))],
    [
      'for the server of a visitor',
      (address) =>
        ok(app.http.post('/api/v1/svc/remote_interaction').send({ ap_id: address, profile: `new@${peer.host}` })),
    ],
    ['for a page that follows', (address) => app.http.get('/ostatus_subscribe').query({ acct: address }).expect(404)],
  ])('asks no other server %s', async (_what, ask) => {
    peer.actor('new', key);
    await ask(served(`/notes/${turn}`));
    await app.drain();
    expect(peer.seen).toEqual([]);
  });

  it('sends nothing', async () => {
    const write = async (text: string) => {
      await ok(ada.post('/api/v1/statuses', { status: text }));
      await app.drain();
    };
    await write('tea');
    expect(peer.seen).toEqual([]);
    await federate(true);
    await write('milk');
    expect(peer.seen).toEqual(['POST /users/mo/inbox']);
  });

  describe('sends once it federates again', () => {
    const inbox = '/users/mo/inbox';
    const wake = async () => {
      await app.sql('update hosts set probe_at = now() where probe_at is not null');
      await app.sql('update deliveries set next_at = now()');
      await app.get(DeliveryService).resumeHosts();
      await app.drain();
    };
    const typesFor = (uri?: string) =>
      peer.received.filter(({ object }) => !uri || JSON.stringify(object).includes(uri)).map(({ type }) => type);
    const written = async () => {
      const made = await ok<{ id: string; uri: string }>(ada.post('/api/v1/statuses', { status: 'tea' }));
      await app.drain();
      return made;
    };

    beforeEach(() => federate(true));
    afterEach(() => peer.answers.set(inbox, { status: 202 }));

    it('what ends or changes what others have, and follows, but no posts', async () => {
      const nia = peer.actor('nia', key);
      peer.answers.set('/users/nia/inbox', { status: 202 });
      const found = await ok<{ accounts: { id: string }[] }>(ada.get('/api/v2/search', { q: nia.uri, resolve: true }));
      const niaId = found.accounts[0]!.id;
      await ok(ada.post(`/api/v1/accounts/${moId}/follow`));
      const [gone, kept] = [await written(), await written()];
      await federate(false);
      peer.received.length = 0;
      await ok(ada.delete(`/api/v1/statuses/${gone.id}`));
      await ok(ada.put(`/api/v1/statuses/${kept.id}`, { status: 'milk' }));
      await ok(ada.post(`/api/v1/accounts/${moId}/unfollow`));
      await ok(ada.post(`/api/v1/accounts/${niaId}/follow`));
      await written();
      await app.sql(`update deliveries set created_at = created_at - interval '40 days'`);
      await app.sql(`update activities set created_at = created_at - interval '40 days'`);
      await app.drain();
      expect(peer.received).toEqual([]);
      await federate(true);
      await app.get(OutboxService).purge();
      await app.drain();
      expect(typesFor().toSorted()).toEqual(['Delete', 'Follow', 'Undo', 'Update']);
    });

    it('the deletion of an account, days later, and then removes its key', async () => {
      await app.world.person('cat');
      const cat = app.world.id('cat');
      const follow =
        'insert into follows (follower_id, followee_id, state, reblogs, notify) values ($1, $2, 1, true, false)';
      await app.sql(follow, [moId, cat]);
      await federate(false);
      peer.received.length = 0;
      await app.get(AccountDeletionService).delete(cat);
      await app.drain();
      await app.sql(`update accounts set deleted_at = now() - interval '4 days' where id = $1`, [cat]);
      const removeKeys = async () => {
        await app.get(AccountActivitiesService).removeKeys();
        return app.sql('select from keys where account_id = $1', [cat]);
      };
      expect(await removeKeys()).toHaveLength(1);
      await federate(true);
      await app.drain();
      expect(typesFor('/users/cat')).toEqual(['Delete']);
      expect(await removeKeys()).toEqual([]);
    });

    it('a deletion after the post that its server did not take before, for two days from then on', async () => {
      peer.answers.set(inbox, { status: 503 });
      const { id, uri } = await written();
      await federate(false);
      await ok(ada.delete(`/api/v1/statuses/${id}`));
      await app.drain();
      await app.sql(`update deliveries set created_at = created_at - interval '40 days'`);
      await app.get(OutboxService).purge();
      await federate(true);
      await app.drain();
      await wake();
      peer.answers.set(inbox, { status: 202 });
      peer.received.length = 0;
      await wake();
      expect(typesFor(uri)).toEqual(['Create', 'Delete']);
      expect(await app.sql('select from deliveries')).toEqual([]);
    });
  });

  it.each<[string, string, (jobs: Jobs) => void]>([
    [
      'a post that others refer to',
      '/notes/waits',
      (jobs) => jobs.enqueue(FetchStatuses, { uris: [served('/notes/waits')] }),
    ],
    ['the posts of an account', '/users/mo', (jobs) => jobs.enqueue(DiscoverAccount, { accountId: moId })],
    [
      'the account to which another moved',
      '/users/new',
      (jobs) => {
        const { uri: targetUri } = peer.actor('new', key, { alsoKnownAs: [mo.uri] });
        jobs.enqueue(ConfirmMove, { accountId: moId, targetUri, takesFollowers: false, tries: 0 });
      },
    ],
  ])('waits until it federates again to fetch %s', async (_what, path, enqueue) => {
    await app.get(UnitOfWork).run(() => {
      enqueue(app.get(Jobs));
    });
    const anHourLater = async () => {
      await app.sql(`update jobs set run_at = run_at - interval '61 minutes' where name like 'federation.%'`);
      await app.drain();
    };
    await app.drain();
    await anHourLater();
    await anHourLater();
    expect(peer.seen).toEqual([]);
    await federate(true);
    await anHourLater();
    expect(peer.asked(path)).toBe(1);
    await anHourLater();
    expect(peer.asked(path)).toBe(1);
  });

  it('refreshes an account that a user looks up only while it federates', async () => {
    const use = async () => {
      await app.sql(`update accounts set refreshed_at = now() - interval '2 days' where id = $1`, [moId]);
      await ok(ada.get('/api/v2/search', { q: mo.uri, resolve: true }));
      await app.drain();
    };
    await use();
    await federate(true);
    await app.drain();
    expect(peer.asked('/users/mo')).toBe(0);
    await use();
    expect(peer.asked('/users/mo')).toBe(1);
  });

  it('stores received activities until it federates again', async () => {
    await federate(true);
    const answered = served(`/notes/${turn}/parent`);
    const activity = {
      id: `${mo.uri}#${turn}`,
      type: 'Create',
      actor: mo.uri,
      object: note(`/notes/${turn}`, { inReplyTo: answered }),
    };
    const body = JSON.stringify(activity);
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await federate(false);
    await app.drain();
    const stored = () => app.sql('select from statuses where uri like $1', [`${peer.url}/notes/${turn}%`]);
    expect(await stored()).toHaveLength(0);
    await federate(true);
    await app.get(InboxDrainService).resumeAll();
    await app.drain();
    expect(await stored()).toHaveLength(2);
  });
});
