import { InboxDrainService } from '../../../src/federation/inbox/inbox-drain.service.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
type Json = Readonly<Record<string, unknown>>;

/** Embedded activities with any id, or none: their actor and their object say what is meant. */
describe('An activity about another activity', () => {
  const peer = usePeer('misskey.example');
  const app = useBeside([peer], { once: ['ada'] });
  let client: Client;
  let ada: string;
  let post: string;
  let mo: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    client = await app.world.as('ada');
    post = ((await client.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as { uri: string }).uri;
    ada = `${app.env.baseUrl}/users/ada`;
  });
  beforeEach(() => {
    names += 1;
    const featured = `${peer.url}/users/mo${names}/featured`;
    mo = peer.actor(`mo${names}`, key, { featured });
  });

  const send = (activity: Json) => sendTo(app, mo, activity);
  const rows = async (table: string, column: string) =>
    (await app.sql(`select from ${table} t join accounts a on a.id = t.${column} where a.ap_id = $1`, [mo.uri])).length;

  /** ada follows mo; returns the id of the Follow and ada's relation. */
  async function followed(): Promise<{ id: string; state: () => Promise<string | undefined> }> {
    const { body } = await client.get('/api/v2/search', { q: mo.uri, resolve: true }).expect(200);
    const [{ id } = { id: '' }] = (body as { accounts: { id: string }[] }).accounts;
    await client.post(`/api/v1/accounts/${id}/follow`).expect(200);
    await app.drain();
    const { id: uri } = peer.received.findLast(({ type }) => type === 'Follow')!;
    const state = async () => {
      const found = await client.get('/api/v1/accounts/relationships', { id: [id] }).expect(200);
      const [relation] = found.body as [{ following: boolean; requested: boolean }];
      return relation.following ? 'following' : relation.requested ? 'requested' : undefined;
    };
    return { id: uri as string, state };
  }
  const pair = () => ({ type: 'Follow', actor: ada, object: mo.uri });

  it.each<[string, (id: string) => unknown]>([
    ['by its id', (id) => id],
    ['with its id', (id) => ({ ...pair(), id })],
    ['with an id of its own server', () => ({ ...pair(), id: `${mo.uri}#follows/1` })],
    ['with an id of any server', () => ({ ...pair(), id: 'https://else.example/1' })],
    ['without an id', () => pair()],
    ['with null as its id', () => ({ ...pair(), id: null })],
  ])('answers a Follow %s', async (_how, object) => {
    const { id, state } = await followed();
    expect(await state()).toBe('requested');
    await send({ id: `${mo.uri}#answers/1`, type: 'Accept', object: object(id) });
    expect(await state()).toBe('following');
    await send({ type: 'Reject', object: object(id) });
    expect(await state()).toBeUndefined();
  });

  it.each<[string, (actor: string) => unknown]>([
    ['of another followee', () => ({ ...pair(), object: `${peer.url}/users/other` })],
    ['of another type', () => ({ ...pair(), type: 'Like' })],
    ['of no local account', () => ({ ...pair(), actor: `${peer.url}/users/other` })],
  ])('answers no Follow %s', async (_what, object) => {
    const { state } = await followed();
    await send({ id: `${mo.uri}#answers/2`, type: 'Accept', object: object(mo.uri) });
    expect(await state()).toBe('requested');
  });

  const KINDS: Readonly<Record<string, { activity: () => Json; count: () => Promise<number> }>> = {
    Follow: { activity: () => ({ object: ada }), count: () => rows('follows', 'follower_id') },
    Block: { activity: () => ({ object: ada }), count: () => rows('blocks', 'account_id') },
    Like: { activity: () => ({ object: post }), count: () => rows('favourites', 'account_id') },
    EmojiReact: { activity: () => ({ object: post, content: '🎉' }), count: () => rows('reactions', 'account_id') },
    Announce: { activity: () => ({ object: post }), count: () => rows('statuses', 'author_id') },
  };
  const WAYS: Readonly<Record<string, (made: Json) => Json>> = {
    'by its id': ({ id }) => ({ type: 'Undo', object: id }),
    'with its id only': ({ id }) => ({ type: 'Undo', object: { id } }),
    'without an id': ({ id: _, ...made }) => ({ type: 'Undo', object: made }),
    'without an actor': ({ actor: _, ...made }) => ({ type: 'Undo', object: made }),
    'with an id of another server': (made) => ({ type: 'Undo', object: { ...made, id: 'https://else.example/1' } }),
  };
  const cases = Object.entries(KINDS).flatMap(([type, kind]) =>
    Object.entries(WAYS).map(([how, undo]) => ({ type, how, undo, ...kind })),
  );

  it.each(cases)('undoes a $type $how', async ({ type, undo, activity, count }) => {
    const made = { id: `${mo.uri}#made`, type, actor: mo.uri, ...activity() };
    await send(made);
    expect(await count()).toBe(1);
    await send({ id: `${mo.uri}#undo`, ...undo(made) });
    expect(await count()).toBe(0);
  });

  it('undoes nothing of another actor, by its id or embedded', async () => {
    const made = { id: `${mo.uri}#made`, type: 'Like', actor: mo.uri, object: post };
    await send(made);
    const [liker, count] = [mo, KINDS['Like']!.count];
    mo = peer.actor(`eve${names}`, key);
    for (const object of [made, made.id]) await send({ id: `${mo.uri}#undo`, type: 'Undo', object });
    mo = liker;
    expect(await count()).toBe(1);
  });

  it('undoes a boost by a Delete of its Announce', async () => {
    const id = `${mo.uri}#boost`;
    await send({ id, type: 'Announce', object: post });
    expect(await rows('statuses', 'author_id')).toBe(1);
    await send({ id: `${id}/delete`, type: 'Delete', object: { id, type: 'Tombstone' } });
    expect(await rows('statuses', 'author_id')).toBe(0);
  });

  it('changes the pins of an account without an id and addressees, as Mastodon does', async () => {
    const note = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], content: 'pin me' };
    await send({ id: `${note.id}#create`, type: 'Create', object: { ...note, cc: [ada] } });
    const featuring = { object: note.id, target: `${mo.uri}/featured` };
    for (const [type, pins] of [
      ['Add', 1],
      ['Remove', 0],
      ['Add', 1],
    ] as const) {
      await send({ type, ...featuring });
      expect(await rows('pins', 'account_id')).toBe(pins);
    }
  });

  it.each<[string, string, string, string | undefined, string, number]>([
    ['pins', 'Add', 'that its actor got later', undefined, 'featured', 1],
    ['pins', 'Add', 'that replaced the former one of its actor', 'former', 'featured', 1],
    ['unpins', 'Remove', 'that replaced the former one of its actor', 'former', 'featured', 0],
    ['does not pin', 'Add', 'of its actor that is not featured', 'featured', 'others', 0],
    ['does not unpin', 'Remove', 'of its actor that is not featured', 'featured', 'others', 1],
    ['does not pin', 'Add', 'of another server', undefined, 'https://far.example/featured', 0],
  ])('%s a post by %s for a collection %s', async (_does, type, _which, before, target, pins) => {
    const path = `/users/mo${names}`;
    const { featured, ...served } = peer.answers.get(path) as Json;
    peer.answers.set(path, before === undefined ? served : { ...served, featured: `${mo.uri}/${before}` });
    const note = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], content: 'pin me' };
    await send({ id: `${note.id}#create`, type: 'Create', object: { ...note, cc: [ada] } });
    if (type === 'Remove') await send({ type: 'Add', object: note.id, target: `${mo.uri}/${before ?? ''}` });
    peer.answers.set(path, { ...served, featured });
    await send({ type, object: note.id, target: URL.canParse(target) ? target : `${mo.uri}/${target}` });
    expect(await rows('pins', 'account_id')).toBe(pins);
  });

  it.each<[string, string, () => string]>([
    ['Add', 'not stored here', () => `${mo.uri}/notes/1`],
    ['Remove', 'not stored here', () => `${mo.uri}/notes/1`],
    ['Add', 'by another author', () => post],
    ['Remove', 'by another author', () => post],
  ])('fetches no actor by %s in another collection of a post that is %s', async (type, _which, object) => {
    await send({ type: 'Like', id: `${mo.uri}#like`, object: post });
    peer.seen.length = 0;
    await send({ type, object: object(), target: `${mo.uri}/others` });
    expect(peer.seen).toEqual([]);
  });

  it('pins an unknown post while no featured collection of its actor is known', async () => {
    const path = `/users/mo${names}`;
    const { featured, ...served } = peer.answers.get(path) as Json;
    peer.answers.set(path, served);
    await send({ type: 'Like', id: `${mo.uri}#like`, object: post });
    peer.answers.set(path, { ...served, featured });
    const note = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], content: 'pin me' };
    peer.answers.set(`${path}/notes/1`, note);
    await send({ type: 'Add', object: note.id, target: `${mo.uri}/featured` });
    expect(await rows('pins', 'account_id')).toBe(1);
  });

  it('pins a post only after the server of its actor has named the featured collection', async () => {
    const path = `/users/mo${names}`;
    const served = peer.answers.get(path) as Json;
    peer.answers.set(path, { ...served, featured: `${mo.uri}/former` });
    const note = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], content: 'pin me' };
    await send({ id: `${note.id}#create`, type: 'Create', object: { ...note, cc: [ada] } });
    peer.answers.set(path, { status: 503 });
    await send({ type: 'Add', object: note.id, target: `${mo.uri}/featured` });
    expect(await app.sql(`select from inbox_queue where body like '%"Add"%'`)).toHaveLength(1);
    expect(await rows('pins', 'account_id')).toBe(0);
    peer.answers.set(path, served);
    await app.sql('update inbox_queue set run_at = now()');
    await app.get(InboxDrainService).resumeAll();
    await app.drain();
    expect(await rows('pins', 'account_id')).toBe(1);
  });

  // No route shows featured hashtags (spec §4.3), and none is stored.
  it.each([
    ['Add', 'featured', 'href'],
    ['Add', 'featured', 'id'],
    ['Add', 'featuredTags', 'href'],
    ['Remove', 'featured', 'href'],
    ['Remove', 'featured', 'id'],
    ['Remove', 'featuredTags', 'id'],
  ])('does not change the pins by %s in %s of a hashtag with its %s', async (type, target, name) => {
    const object = { type: 'Hashtag', name: '#tea', [name]: `${peer.url}/tags/tea` };
    const note = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], content: 'pin me' };
    await send({ id: `${note.id}#create`, type: 'Create', object: { ...note, cc: [ada] } });
    await send({ type: 'Add', object: note.id, target: `${mo.uri}/featured` });
    peer.seen.length = 0;
    await send({ type, object, target: `${mo.uri}/${target}` });
    expect(await rows('pins', 'account_id')).toBe(1);
    expect(peer.seen).toEqual([]);
  });
});
