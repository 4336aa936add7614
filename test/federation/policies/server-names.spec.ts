import { SettingsService } from '../../../src/config/index.js';
import { HostBlocksService } from '../../../src/federation/host-blocks/host-blocks.service.js';
import type { Client } from '../../support/fixtures/world.js';
import { cavageHeaders, newKey, type RawActor, useBeside, usePeer } from '../../support/federation/raw-peer.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** An actor of one server, whose handle has the domain of another. */
describe.each(['handle', 'address'] as const)('The server that the %s of an account names', (kind) => {
  const address = usePeer();
  const vanity = usePeer();
  const app = useBeside([address, vanity], { once: ['ada'] });
  let reader: Client;
  let admin: Client;
  let mo: RawActor;
  /** `name@domain` of the actor. */
  let handle = '';
  let server = '';
  let turn = 0;
  const key = newKey();

  beforeAll(async () => {
    reader = await app.world.as('ada');
    await app.world.person('root', { admin: true });
    admin = await app.world.as('root', 'admin');
    server = (kind === 'handle' ? vanity : address).host;
  });
  beforeEach(() => {
    const name = `spam${(turn += 1)}`;
    mo = address.actor(name, key);
    handle = `${name}@${vanity.host}`;
    for (const peer of [address, vanity]) {
      const resource = encodeURIComponent(`acct:${name}@${peer.host}`);
      const links = [{ rel: 'self', type: 'application/activity+json', href: mo.uri }];
      peer.answers.set(`/.well-known/webfinger?resource=${resource}`, { subject: `acct:${handle}`, links });
    }
  });
  const changed: string[] = [];
  afterEach(async () => {
    for (const path of changed.splice(0)) await app.get(SettingsService).reset(path);
    await reader.delete('/api/v1/domain_blocks', { domain: server });
  });

  async function set(path: string, value: unknown): Promise<void> {
    changed.push(path);
    await app.get(SettingsService).update([{ path, value }]);
  }
  async function send(type: string, rest: object): Promise<void> {
    const activity = { id: `${mo.uri}#${(turn += 1)}`, type, actor: mo.uri, ...rest };
    const body = JSON.stringify(activity);
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await app.drain();
  }
  const follow = () => send('Follow', { object: `${app.env.baseUrl}/users/ada` });
  const post = (content = 'tea') => {
    const note = { id: `${mo.uri}/notes/${(turn += 1)}`, type: 'Note', attributedTo: mo.uri, content };
    return send('Create', { object: { ...note, to: [PUBLIC], cc: [`${app.env.baseUrl}/users/ada`] } });
  };
  const count = async (from: string) =>
    (await app.sql<{ n: number }>(`select count(*)::int as n from ${from} = $1`, [mo.uri]))[0]?.n;
  const stored = () => count('accounts where ap_id');
  const followers = () => count('follows f join accounts a on a.id = f.follower_id where a.ap_id');
  const posts = () => count('statuses s join accounts a on a.id = s.author_id where a.ap_id');
  const idOf = async () => (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;

  it('is known by both names without a rule', async () => {
    await follow();
    await post();
    expect([await stored(), await followers(), await posts()]).toEqual([1, 1, 1]);
    expect((await reader.get(`/api/v1/accounts/${await idOf()}`)).body).toMatchObject({ acct: handle });
  });

  it.each(['mrf_simple.reject', 'mrf_simple.accept'])('is matched by %s for unknown accounts', async (list) => {
    const other = (kind === 'handle' ? address : vanity).host;
    await set(list, [list === 'mrf_simple.reject' ? server : other]);
    await follow();
    address.seen.length = 0;
    vanity.seen.length = 0;
    await post();
    expect([await stored(), await followers(), await posts()]).toEqual([0, 0, 0]);
    expect([...address.seen, ...vanity.seen]).toEqual([]);
    const found = await reader.get('/api/v2/search', { q: handle, resolve: true }).expect(200);
    expect(found.body).toMatchObject({ accounts: [] });
    const refused = kind === 'handle' ? vanity : address;
    expect(refused.seen).toEqual([]);
  });

  it('is accepted when the list of accepted servers has both names', async () => {
    await set('mrf_simple.accept', [address.host, vanity.host]);
    await follow();
    expect(await followers()).toBe(1);
  });

  it('is refused with activities and requests of a known account once it is blocked', async () => {
    await post();
    await set('mrf_simple.reject', [server]);
    await follow();
    await post();
    expect([await followers(), await posts()]).toEqual([0, 1]);
    await app.sql(`update accounts set refreshed_at = now() - interval '2 days' where ap_id = $1`, [mo.uri]);
    address.seen.length = 0;
    await reader.get('/api/v2/search', { q: mo.uri, resolve: true }).expect(200);
    await app.drain();
    expect(address.seen).toEqual([]);
    await set('activitypub.authorized_fetch_mode', true);
    const { body } = await reader.post('/api/v1/statuses', { status: 'tea' }).expect(200);
    const path = new URL((body as { uri: string }).uri).pathname;
    const headers = cavageHeaders(mo, app.env.baseUrl + path, { method: 'GET' });
    const answer = await app.http.get(path).set({ ...headers, accept: 'application/activity+json' });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['mrf_simple.media_nsfw', { sensitive: true }],
    ['mrf_simple.federated_timeline_removal', { visibility: 1 }],
    ['mrf_simple.followers_only', { visibility: 2 }],
  ])('is matched by %s, which changes posts', async (list, expected) => {
    await set(list, [server]);
    await post();
    const rows = await app.sql('select s.* from statuses s join accounts a on a.id = s.author_id where ap_id = $1', [
      mo.uri,
    ]);
    expect(rows).toMatchObject([expected]);
  });

  it('is matched by mrf_simple.avatar_removal, which removes the avatar', async () => {
    const icon = { type: 'Image', url: `${address.url}/avatar.png` };
    address.answers.set(new URL(mo.uri).pathname, {
      ...(address.answers.get(new URL(mo.uri).pathname) as object),
      icon,
    });
    await set('mrf_simple.avatar_removal', [server]);
    await post();
    expect(await app.sql('select avatar_url from accounts where ap_id = $1', [mo.uri])).toEqual([{ avatar_url: null }]);
  });

  it.each([
    ['instance.quarantined_instances', { public: true, private: false }],
    ['mrf_simple.reject', { public: false, private: false }],
  ])('gets only the posts that %s allows', async (list, expected) => {
    await follow();
    await set(list, [server]);
    const sent: Record<string, boolean> = {};
    for (const visibility of Object.keys(expected)) {
      const { body } = await reader.post('/api/v1/statuses', { status: 'tea', visibility }).expect(200);
      await app.drain();
      const { uri } = body as { uri: string };
      sent[visibility] = address.received.some(({ object }) => (object as { id?: string } | undefined)?.id === uri);
    }
    expect(sent).toEqual(expected);
  });

  it('is hidden from a viewer who blocks it', async () => {
    await follow();
    await post();
    const local = async () => (await reader.get('/api/v1/timelines/public')).body as { account: { acct: string } }[];
    const isShown = async () => (await local()).some(({ account }) => account.acct === handle);
    const notifications = async () =>
      ((await reader.get('/api/v1/notifications')).body as { account: { acct: string } }[]).filter(
        ({ account }) => account.acct === handle,
      ).length;
    expect([await isShown(), await notifications()]).toEqual([true, 1]);

    await reader.post('/api/v1/domain_blocks', { domain: server }).expect(200);
    await app.drain();
    expect([await isShown(), await notifications(), await followers()]).toEqual([false, 0, 0]);
    const id = await idOf();
    const relationship = await reader.get('/api/v1/accounts/relationships', { 'id[]': id });
    expect(relationship.body).toMatchObject([{ domain_blocking: true }]);
    const refused = await reader.post(`/api/v1/accounts/${id}/follow`).expect(403);
    expect(refused.body).toEqual({ error: `Could not follow user: you have blocked ${server}.` });
    await follow();
    await post();
    expect([await followers(), await notifications()]).toEqual([0, 0]);
    const found = await reader.get('/api/v2/search', { q: handle.split('@')[0] });
    expect(found.body).toMatchObject({ accounts: [] });
  });

  it('has the account and its posts in the lists of users, the staff and operators', async () => {
    const before = await app.get(HostBlocksService).preview(server);
    await follow();
    await post();
    const id = await idOf();
    const timeline = await reader.get('/api/v1/timelines/public', { instance: server }).expect(200);
    expect((timeline.body as { account: { id: string } }[]).map(({ account }) => account.id)).toContain(id);
    const preview = await app.get(HostBlocksService).preview(server);
    expect(preview.hosts).toEqual([server]);
    expect([preview.accounts, preview.posts, preview.followers]).toEqual([
      before.accounts + 1,
      before.posts + 1,
      before.followers + 1,
    ]);
    const users = await admin.get('/api/v1/svc/admin/users', { query: server }).expect(200);
    expect((users.body as { users: { id: string }[] }).users.map((user) => user.id)).toContain(id);
    const statuses = await admin.get(`/api/v1/svc/admin/instances/${server}/statuses`).expect(200);
    expect((statuses.body as { activities: { account: { id: string } }[] }).activities[0]?.account.id).toBe(id);
    const stats = await admin.get('/api/v1/svc/admin/stats', { instance: server }).expect(200);
    const counts = Object.values((stats.body as { status_visibility: Record<string, number> }).status_visibility);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(preview.posts);
  });

  it('is deleted with the account', async () => {
    await follow();
    await admin.delete(`/api/v1/svc/admin/instances/${server}`).expect(200);
    await app.drain();
    expect(await followers()).toBe(0);
    expect(await count('accounts where deleted_at is not null and ap_id')).toBe(1);
    await admin.delete(`/api/v1/svc/admin/instances/${server}`).expect(404);
  });
});
