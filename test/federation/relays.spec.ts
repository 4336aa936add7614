import { SettingsService } from '../../src/config/index.js';
import { cavageHeaders, newKey, type RawActor, RawPeer } from '../support/federation/raw-peer.js';
import { type Member, type Server, settle, startServer, usePair } from '../support/federation/servers.js';
import type { PlainStatusJson } from '../../src/statuses/index.js';
import { ok } from '../support/fixtures/statuses.js';
import { freePort } from '../support/servers/free-port.js';

const RELAY = '/api/v1/svc/admin/relay';
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const known = (reader: Member) =>
  ok<PlainStatusJson[]>(reader.get('/api/v1/timelines/public', { remote: true })).then((posts) =>
    posts.map(({ content }) => content.replace(/<[^>]+>/g, '')),
  );

describe('a relay between two servers that follow each other (LitePub)', () => {
  const pair = usePair();
  let alice: Member;
  let bob: Member;

  beforeAll(async () => {
    await pair.alpha.member('root', { admin: true });
    alice = await pair.alpha.member('alice');
    bob = await pair.beta.member('bob');
  });

  it('delivers public posts of accounts without local followers, and no other posts', async () => {
    const staff = await pair.alpha.world.as('root', 'admin');
    const url = `${pair.beta.url}/relay`;
    expect(await ok(staff.post(RELAY, { relay_url: url }))).toEqual({ actor: url, followed_back: false });
    await pair.settle();
    expect(await ok(staff.get(RELAY))).toEqual([{ actor: url, followed_back: true }]);
    await bob.write('for everybody');
    for (const visibility of ['unlisted', 'private', 'local']) await bob.write(`as ${visibility}`, { visibility });
    await pair.settle();
    expect(await known(alice)).toEqual(['for everybody']);
    expect(await alice.home()).toEqual([]);
    expect(
      (await ok<PlainStatusJson[]>(alice.get('/api/v1/timelines/public', { remote: true })))[0]!.reblogs_count,
    ).toBe(0);
    const followers = await pair.beta.http.get('/relay/followers').expect(200);
    expect((followers.body as { orderedItems: unknown }).orderedItems).toEqual([`${pair.alpha.url}/relay`]);
  });

  it('delivers nothing while one of the two servers takes part in no relays', async () => {
    for (const server of [pair.alpha, pair.beta]) {
      await server.get(SettingsService).update([{ path: 'instance.allow_relay', value: false }]);
      await bob.write('while relays are off');
      await pair.settle();
      expect(await known(alice)).toEqual(['for everybody']);
      await server.get(SettingsService).update([{ path: 'instance.allow_relay', value: true }]);
    }
  });

  it('delivers nothing after an unfollow', async () => {
    const staff = await pair.alpha.world.as('root', 'admin');
    const url = `${pair.beta.url}/relay`;
    expect(await ok(staff.delete(RELAY, { relay_url: url }))).toBe(url);
    await pair.settle();
    await bob.write('too late');
    await pair.settle();
    expect(await known(alice)).toEqual(['for everybody']);
    expect(await pair.beta.sql('select from relay_followers')).toEqual([]);
    await staff.delete(RELAY, { relay_url: url }).expect(400, { error: 'There is no such relay' });
    const log = await ok<{ items: { message: string }[] }>(staff.get('/api/v1/svc/admin/moderation_log'));
    expect(log.items.map(({ message }) => message)).toEqual([
      `@root unfollowed relay #${url}`,
      `@root followed relay #${url}`,
    ]);
  });

  it('sends nothing more to a relay that follows this server, too', async () => {
    const staff = await pair.alpha.world.as('root', 'admin');
    const other = await pair.beta.member('boss', { admin: true }).then(() => pair.beta.world.as('boss', 'admin'));
    const url = `${pair.beta.url}/relay`;
    await ok(staff.post(RELAY, { relay_url: url }));
    await ok(other.post(RELAY, { relay_url: `${pair.alpha.url}/relay` }));
    await pair.settle();
    await ok(staff.delete(RELAY, { relay_url: url }));
    await pair.settle();
    await alice.write('for nobody there');
    await pair.settle();
    expect(await known(bob)).toEqual([]);
    expect(await pair.alpha.sql('select from relay_followers')).toEqual([]);
    expect(await ok(other.get(RELAY))).toEqual([{ actor: `${pair.alpha.url}/relay`, followed_back: false }]);
  });

  it('is refused when its address leads to no relay', async () => {
    const staff = await pair.alpha.world.as('root', 'admin');
    for (const relay_url of ['nonsense', 'file:///etc/passwd', 'http://10.0.0.1/actor', `${pair.beta.url}/nothing`])
      await staff.post(RELAY, { relay_url }).expect(400);
    expect(await ok(staff.get(RELAY))).toEqual([]);
  });
});

describe('a relay that forwards activities (Mastodon)', () => {
  let peer: RawPeer;
  let app: Server;
  let actor: RawActor;
  let alice: Member;
  let activities = 0;

  beforeAll(async () => {
    peer = await RawPeer.start();
    app = await startServer(await freePort(), [peer.port]);
    await app.member('root', { admin: true });
    alice = await app.member('alice');
    actor = peer.actor('relay', newKey(), { type: 'Application' });
    peer.answers.set('/inbox', { status: 202 });
  });
  afterAll(async () => {
    await app.close();
    await peer.close();
  });

  const send = async (activity: object) => {
    const body = JSON.stringify(activity);
    await app.http
      .post('/relay/inbox')
      .set(cavageHeaders(actor, `${app.url}/relay/inbox`, { body }))
      .send(body)
      .expect(202);
    await app.drain();
  };
  const answer = (type: string) => {
    const follow = peer.received.findLast((activity) => activity['type'] === 'Follow');
    return send({ id: `${actor.uri}#${type}`, type, actor: actor.uri, object: follow });
  };
  const sentStatuses = () =>
    peer.received.filter(({ type }) => type === 'Create').map(({ object }) => (object as { content: string }).content);
  const states = () => app.sql<{ state: string }>('select state from relays');

  it('receives public posts after its Accept, and the posts that it announces are stored', async () => {
    const staff = await app.world.as('root', 'admin');
    await ok(staff.post(RELAY, { relay_url: `${peer.url}/inbox` }));
    await settle(app);
    const follow = { type: 'Follow', actor: `${app.url}/relay`, object: PUBLIC };
    expect(peer.received).toMatchObject([follow]);
    await ok(staff.post(RELAY, { relay_url: `${peer.url}/inbox` })); // no answer yet: it is asked again
    await settle(app);
    expect(peer.received).toMatchObject([follow, follow]);
    await alice.write('too early');
    await answer('Accept');
    expect(await states()).toEqual([{ state: 'accepted' }]);
    const post = await alice.write('for the relay');
    await alice.write('not for it', { visibility: 'unlisted' });
    await settle(app);
    expect(sentStatuses()).toEqual([expect.stringContaining('for the relay')]);
    await ok(alice.delete(`/api/v1/statuses/${post.id}`));
    await settle(app);
    expect(peer.received.at(-1)).toMatchObject({ type: 'Delete' });
    announceable('far', 'From far away');
    await send({
      id: `${actor.uri}#1`,
      type: 'Announce',
      actor: actor.uri,
      object: `${peer.url}/notes/far`,
      to: [PUBLIC],
    });
    expect(await known(alice)).toEqual(['From far away']);
    expect(await app.sql('select from statuses where reblog_of_id is not null')).toEqual([]);
  });

  it('brings the posts whose Creates it passes on, as their own servers serve them', async () => {
    await passOn('passed', 'Passed on');
    expect(await known(alice)).toEqual(['Passed on', 'From far away']);
  });

  it('brings changes and deletions of posts, to which their own servers agree', async () => {
    const uri = `${peer.url}/notes/changed`;
    const about = (type: string, object: unknown) =>
      send({ id: `${uri}#${type}${(activities += 1)}`, type, actor: `${peer.url}/users/ann`, object, to: [PUBLIC] });
    await passOn('changed', 'Before');
    announceable('changed', 'After');
    await about('Update', { id: uri, type: 'Note', attributedTo: `${peer.url}/users/ann`, content: 'forged' });
    expect(await known(alice)).toEqual(['After', 'Passed on', 'From far away']);
    await about('Delete', uri);
    expect(await known(alice)).toHaveLength(3);
    peer.answers.set('/notes/changed', { status: 410 });
    await about('Delete', uri);
    expect(await known(alice)).toEqual(['Passed on', 'From far away']);
  });

  it('receives neither posts nor their edits while relays are not allowed', async () => {
    const before = peer.received.length;
    await app.get(SettingsService).update([{ path: 'instance.allow_relay', value: false }]);
    const { id } = await alice.write('while relays are off');
    await ok(alice.put(`/api/v1/statuses/${id}`, { status: 'edited' }));
    await settle(app);
    expect(peer.received.slice(before)).toEqual([]);
    await app.get(SettingsService).update([{ path: 'instance.allow_relay', value: true }]);
  });

  it('receives nothing after its Reject, and the posts that it announces or passes on are ignored', async () => {
    await answer('Reject');
    expect(await states()).toEqual([{ state: 'rejected' }]);
    await alice.write('after that');
    await settle(app);
    expect(sentStatuses()).toHaveLength(1);
    announceable('second', 'Unwanted');
    await send({
      id: `${actor.uri}#2`,
      type: 'Announce',
      actor: actor.uri,
      object: `${peer.url}/notes/second`,
      to: [PUBLIC],
    });
    await passOn('third', 'Unwanted too');
    expect(await known(alice)).toEqual(['Passed on', 'From far away']);
  });

  it('cannot be accepted by an actor of another server', async () => {
    const other = await RawPeer.start();
    const stranger = other.actor('relay', actor.key, { type: 'Application' });
    const body = JSON.stringify({
      id: `${stranger.uri}#a`,
      type: 'Accept',
      actor: stranger.uri,
      object: peer.received.find((activity) => activity['type'] === 'Follow'),
    });
    await app.http
      .post('/inbox')
      .set(cavageHeaders(stranger, `${app.url}/inbox`, { body }))
      .send(body);
    await app.drain();
    expect(await states()).toEqual([{ state: 'rejected' }]);
    await other.close();
  });

  /** The relay sends the Create of another actor as it is, with a text that is not that of the post. */
  async function passOn(name: string, content: string): Promise<void> {
    announceable(name, content);
    const uri = `${peer.url}/notes/${name}`;
    const ann = `${peer.url}/users/ann`;
    const object = { id: uri, type: 'Note', attributedTo: ann, content: 'forged', to: [PUBLIC] };
    await send({ id: `${uri}#create`, type: 'Create', actor: ann, object, to: [PUBLIC] });
  }

  function announceable(name: string, content: string): void {
    const author = peer.actor('ann', actor.key);
    const uri = `${peer.url}/notes/${name}`;
    peer.answers.set(`/notes/${name}`, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: uri,
      type: 'Note',
      attributedTo: author.uri,
      content,
      to: [PUBLIC],
      cc: [],
      published: new Date().toISOString(),
    });
  }
});

it('the relay actor is served unless relays are disabled', async () => {
  const peer = await RawPeer.start();
  const app = await startServer(await freePort(), [peer.port]);
  const actor = await app.http.get('/relay').expect(200);
  expect(actor.body).toMatchObject({ id: `${app.url}/relay`, type: 'Application' });
  const { body } = await app.http
    .get('/.well-known/webfinger')
    .query({ resource: `acct:relay@${app.env.handleDomain}` });
  expect(body).toMatchObject({ aliases: [`${app.url}/relay`] });
  await app.get(SettingsService).update([{ path: 'instance.allow_relay', value: false }]);
  for (const path of ['/relay', '/relay/followers', '/relay/following']) await app.http.get(path).expect(404);
  const stranger = peer.actor('stranger', newKey(), { type: 'Application' });
  const follow = JSON.stringify({
    id: `${stranger.uri}#f`,
    type: 'Follow',
    actor: stranger.uri,
    object: `${app.url}/relay`,
  });
  await app.http
    .post('/inbox')
    .set(cavageHeaders(stranger, `${app.url}/inbox`, { body: follow }))
    .send(follow)
    .expect(202);
  await settle(app);
  expect(await app.sql('select from relay_followers')).toEqual([]);
  expect(peer.received).toEqual([]);
  await peer.close();
  await app.close();
});
