import { migrate } from '../../../src/migrate.js';
import {
  type ContextJson,
  type ConversationJson,
  ConversationsService,
  type PlainStatusJson,
  type StatusJson,
} from '../../../src/statuses/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { type Member, usePair } from '../../support/federation/servers.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** The forms in which servers name the replies to a post. */
describe('The replies to a post that is looked up', () => {
  const peer = usePeer('garden.example');
  const other = usePeer('storm.example');
  const app = useBeside([peer, other], { once: ['ada'] });
  let ada: Client;
  let turn = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
    peer.actor('mo', key);
  });
  beforeEach(() => {
    turn += 1;
    peer.seen.length = 0;
  });

  const url = (path: string) => `${peer.url}/${turn}/${path}`;
  const serve = (path: string, document: Json) => peer.answers.set(`/${turn}/${path}`, document);
  const note = (path: string, changes: Json = {}) =>
    serve(path, {
      ...{ id: url(path), type: 'Note', attributedTo: `${peer.url}/users/mo`, content: path, to: [PUBLIC] },
      ...changes,
    });
  const reply = (path: string, changes: Json = {}) => note(path, { inReplyTo: url('root'), ...changes });
  const page = (path: string, items: unknown, changes: Json = {}) =>
    serve(path, { id: url(path), type: 'CollectionPage', partOf: url('replies'), items, ...changes });

  /** The texts of the thread below the root after everything is fetched. */
  async function thread(): Promise<string> {
    const search = await ada.get('/api/v2/search', { q: url('root'), resolve: true }).expect(200);
    const [root] = (search.body as { statuses: StatusJson[] }).statuses;
    await app.drain();
    const { body } = await ada.get(`/api/v1/statuses/${root!.id}/context`).expect(200);
    const texts = (body as { descendants: { svc: { content: Json } }[] }).descendants.map(
      ({ svc }) => svc.content['text/plain'],
    );
    return texts.sort().join(' ');
  }

  const two = () => [url('a'), url('b')];
  const FORMS: Readonly<Record<string, () => unknown>> = {
    'by the address of a collection': () => {
      serve('replies', { id: url('replies'), type: 'Collection', items: two() });
      return url('replies');
    },
    'by the address of a collection with a page': () => {
      serve('replies', { id: url('replies'), type: 'OrderedCollection', first: url('page') });
      page('page', undefined, { orderedItems: two() });
      return url('replies');
    },
    'by the address of a collection with an embedded page': () => {
      serve('replies', { id: url('replies'), type: 'Collection', first: { type: 'CollectionPage', items: two() } });
      return url('replies');
    },
    'by an embedded collection without items': () => {
      serve('replies', { id: url('replies'), type: 'Collection', items: two() });
      return { id: url('replies'), type: 'Collection' };
    },
    'by the address of a first page': () => {
      page('page', two());
      return { id: url('replies'), type: 'Collection', first: url('page') };
    },
    'on pages without ids': () => {
      page('page', [url('a')], { id: undefined, next: url('next') });
      page('next', url('b'), { id: null });
      return { id: url('replies'), type: 'Collection', first: url('page') };
    },
    'in items': () => ({ type: 'Collection', items: two() }),
    'in an embedded page': () => ({ type: 'Collection', first: { type: 'CollectionPage', items: two() } }),
    'in an embedded page with a next one, as Mastodon does': () => {
      page('next', [url('b')], { next: url('last') });
      page('last', []);
      return { type: 'Collection', first: { type: 'CollectionPage', items: [url('a')], next: url('next') } };
    },
    'embedded as documents': () => {
      const items = two().map((id) => ({ id, type: 'Note', content: 'not to be believed' }));
      return { type: 'Collection', items };
    },
    'on pages that lead in a circle': () => {
      page('page', [url('a')], { next: url('next') });
      page('next', [url('b')], { next: url('page') });
      return { id: url('replies'), first: url('page') };
    },
  };

  it.each(Object.entries(FORMS))('are found %s', async (_form, replies) => {
    note('root', { replies: replies() });
    for (const path of ['a', 'b']) reply(path);
    expect(await thread()).toBe('a b');
  });

  it('are followed from reply to reply', async () => {
    note('root', { replies: url('replies') });
    serve('replies', { id: url('replies'), type: 'Collection', items: [url('a')] });
    reply('a', { replies: url('more') });
    serve('more', { id: url('more'), type: 'Collection', items: [url('b')] });
    reply('b', { inReplyTo: url('a') });
    expect(await thread()).toBe('a b');
  });

  it('are fetched for each of two posts that name the same one first', async () => {
    const first = (path: string) => ({ type: 'CollectionPage', items: [url('a'), url(path)] });
    for (const path of ['a', 'b', 'c']) reply(path);
    note('root', { replies: { type: 'Collection', first: first('b') } });
    note('other', { replies: { type: 'Collection', first: first('c') } });
    await ada.get('/api/v2/search', { q: url('other'), resolve: true }).expect(200);
    expect(await thread()).toBe('a b c');
    expect(peer.seen.filter((request) => /\/[abc]$/.test(request))).toHaveLength(3);
  });

  it.each<[string, () => unknown]>([
    ['on another server', () => `${other.url}/replies`],
    [
      'in an empty page',
      () => ({ id: url('replies'), type: 'Collection', first: { type: 'CollectionPage', items: [] } }),
    ],
    ['in a collection that says it is empty', () => ({ id: url('replies'), type: 'Collection', totalItems: 0 })],
  ])('are not fetched %s', async (_where, replies) => {
    reply('a');
    other.answers.set('/replies', { id: `${other.url}/replies`, type: 'Collection', items: [url('a')] });
    note('root', { replies: replies() });
    expect(await thread()).toBe('');
    expect(other.seen).toEqual([]);
    expect(peer.seen.filter((request) => request.includes('replies'))).toEqual([]);
  });

  it('S10 are read on five pages at most', async () => {
    for (let n = 0; n < 30; n += 1) page(`page${n}`, [], { next: url(`page${n + 1}`) });
    note('root', { replies: { type: 'Collection', first: url('page0') } });
    await thread();
    expect(peer.seen.filter((request) => request.includes('/page'))).toHaveLength(6); // and the first
  });

  it('are fetched again after their server was unreachable', async () => {
    note('root', { replies: url('replies') });
    serve('replies', { status: 503 });
    expect(await thread()).toBe('');
    reply('a');
    serve('replies', { id: url('replies'), type: 'Collection', items: [url('a')] });
    await app.sql(`update jobs set run_at = now() where name = 'federation.fetch-posts'`);
    expect(await thread()).toBe('a');
  });
});

describe('A thread whose answers come before their parents, since the server of these is away', () => {
  const peer = usePeer('garden.example');
  const away = usePeer('storm.example');
  const app = useBeside([peer, away], { once: ['ada'] });
  const key = newKey();
  const start = Date.now() - 3_600_000;
  let ada: Client;
  let mo: RawActor;
  let eve: RawActor;
  let turn = 0;

  beforeAll(async () => (ada = await app.world.as('ada')));
  beforeEach(() => {
    turn += 1;
    mo = peer.actor(`mo${turn}`, key);
    eve = away.actor(`eve${turn}`, key);
    for (const path of ['', '/older', '/oldest']) away.answers.set(`/users/eve${turn}/notes${path}`, { status: 503 });
  });

  /** `minute`: when it was published. */
  const deliver = (by: RawActor, id: string, minute: number, changes: Json = {}) => {
    const adaUri = `${app.env.baseUrl}/users/ada`;
    const published = new Date(start + minute * 60_000).toISOString();
    const rest = { to: [PUBLIC], cc: [adaUri], published };
    const object = { ...rest, id, type: 'Note', attributedTo: by.uri, content: id, ...changes };
    return sendTo(app, by, { ...rest, id: `${id}#create`, type: 'Create', object });
  };
  const note = (by: RawActor, path = '') => `${by.uri}/notes${path}`;
  const toAda = (changes: Json = {}): Json => {
    const href = `${app.env.baseUrl}/users/ada`;
    return { to: [href], cc: [], tag: [{ type: 'Mention', href }], ...changes };
  };
  const copyOf = async (uri: string): Promise<PlainStatusJson> => {
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]);
    return ok(ada.get(`/api/v1/statuses/${row!.id}`));
  };
  const threadsOf = async (...uris: string[]) =>
    new Set(await Promise.all(uris.map(async (uri) => (await copyOf(uri)).svc.conversation_id)));
  const unread = async () => {
    const { count } = await ok<{ count: number }>(ada.get('/api/v1/notifications/unread_count'));
    return count;
  };

  it('is one conversation, and is muted as one', async () => {
    const [answer, parent, later] = [note(mo), note(eve), note(mo, '/later')];
    await deliver(mo, answer, 2, { inReplyTo: parent });
    await deliver(eve, parent, 1);
    expect((await threadsOf(answer, parent)).size).toBe(1);
    await ok(ada.post(`/api/v1/statuses/${(await copyOf(parent)).id}/mute`));
    expect((await copyOf(answer)).svc.thread_muted).toBe(true);
    await deliver(mo, later, 3, { inReplyTo: answer, ...toAda({ to: [PUBLIC] }) });
    expect(await ok<ContextJson>(ada.get(`/api/v1/statuses/${(await copyOf(parent)).id}/context`))).toMatchObject({
      descendants: [{ uri: answer }, { uri: later }],
    });
    expect(await unread()).toBe(0);
  });

  it('is one conversation when its beginning comes last, and stays muted by those who muted its end', async () => {
    const [answer, parent, beginning] = [note(mo), note(eve), note(eve, '/older')];
    await deliver(mo, answer, 3, { inReplyTo: parent, context: `${peer.url}/contexts/${turn}` });
    await ok(ada.post(`/api/v1/statuses/${(await copyOf(answer)).id}/mute`));
    await deliver(eve, parent, 2, { inReplyTo: beginning });
    await deliver(eve, beginning, 1, { context: `${away.url}/contexts/${turn}` });
    expect((await threadsOf(answer, parent, beginning)).size).toBe(1);
    expect((await copyOf(beginning)).svc.thread_muted).toBe(true);
    await ok(ada.post(`/api/v1/statuses/${(await copyOf(beginning)).id}/unmute`));
    expect((await copyOf(answer)).svc.thread_muted).toBe(false);
  });

  it('is one conversation when each post comes before its parent, without all moving each time', async () => {
    const uris = [4, 3, 2, 1].map((n) => note(mo, `/${n}`));
    const versions = () => app.sql('select version from statuses where uri = any($1) order by id', [uris.slice(0, 2)]);
    await deliver(mo, uris[0]!, 4, { inReplyTo: uris[1] });
    await deliver(mo, uris[1]!, 3, { inReplyTo: uris[2] });
    await deliver(mo, uris[2]!, 2, { inReplyTo: uris[3] });
    const before = await versions();
    await deliver(mo, uris[3]!, 1);
    expect((await threadsOf(...uris)).size).toBe(1);
    expect(await versions()).toEqual(before);
  });

  it('is one conversation of direct posts', async () => {
    const [answer, parent] = [note(mo), note(eve)];
    await deliver(mo, answer, 2, toAda({ inReplyTo: parent }));
    const [known] = await ok<ConversationJson[]>(ada.get('/api/v1/conversations'));
    await ok(ada.post(`/api/v1/conversations/${known!.id}/read`));
    await deliver(eve, parent, 1, toAda());
    expect(await ok<ConversationJson[]>(ada.get('/api/v1/conversations'))).toMatchObject([
      { id: known!.id, unread: true, last_status: { uri: answer }, accounts: [{}, {}] },
    ]);
    expect((await copyOf(parent)).svc.direct_conversation_id).toBe(known!.id);
    expect(await ok(ada.get(`/api/v1/svc/conversations/${known!.id}/statuses`))).toMatchObject([
      { uri: answer },
      { uri: parent },
    ]);
  });

  it('is one direct conversation for a scheduled post, too, when it takes in one that was known before', async () => {
    const [beginning, parent, answer] = [note(eve, '/older'), note(eve), note(mo)];
    away.answers.delete(new URL(beginning).pathname);
    await deliver(eve, beginning, 1, toAda());
    await deliver(mo, answer, 3, toAda({ inReplyTo: parent }));
    const known = async (uri: string) => (await copyOf(uri)).svc.direct_conversation_id;
    const [kept, ended] = [await known(beginning), await known(answer)];
    expect(ended).not.toBe(kept);
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const values = { status: 'later', visibility: 'direct', in_reply_to_conversation_id: ended, scheduled_at };
    await ok(ada.post('/api/v1/statuses', values));
    await deliver(eve, parent, 2, toAda({ inReplyTo: beginning }));
    expect([await known(answer), await known(parent)]).toEqual([kept, kept]);
    expect(await app.sql(`select options->>'inReplyToConversationId' as id from scheduled_statuses`)).toEqual([
      { id: kept },
    ]);
  });

  it('is one conversation when it is too long for one unit of work', async () => {
    const [answer, parent] = [note(mo), note(eve)];
    await deliver(mo, answer, 2, { inReplyTo: parent });
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, in_reply_to_id, conversation_id, local)
       select id || n, author_id, uri || n, visibility, id, conversation_id, false
       from statuses, generate_series(1, 1100) n where uri = $1`,
      [answer],
    );
    await deliver(eve, parent, 1, { context: `${away.url}/contexts/${turn}` });
    const thread = [...(await threadsOf(answer, parent))];
    expect(await app.sql('select from statuses where conversation_id = $1', thread)).toHaveLength(1102);
  });

  it.each([
    [499, 1],
    [500, 2],
  ])(
    'keeps the participants of a long direct conversation with its last post: %i more move in %i parts',
    async (more, parts) => {
      const [other, answer] = [note(eve, '/other'), note(mo)];
      await deliver(eve, other, 1, toAda());
      await deliver(mo, answer, 2, toAda());
      await app.sql(
        `insert into statuses (id, author_id, uri, visibility, in_reply_to_id, conversation_id, local)
       select '0' || id || n, author_id, uri || n, visibility, id, conversation_id, false
       from statuses, generate_series(1, $2::int) n where uri = $1`,
        [answer, more],
      );
      const conversations = app.get(ConversationsService);
      const { id: statusId, svc } = await copyOf(other);
      const conversationId = (await copyOf(answer)).svc.conversation_id!;
      const known = async () => (await copyOf(answer)).svc.direct_conversation_id;
      const shown = await known();
      for (let part = 1; part < parts; part += 1) {
        await conversations.move({ conversationId, statusId });
        expect([(await threadsOf(other, answer)).size, await known()]).toEqual([2, shown]);
      }
      await conversations.move({ conversationId, statusId });
      expect([(await threadsOf(other, answer)).size, await known()]).toEqual([1, svc.direct_conversation_id]);
      await app.drain();
      await conversations.move({ conversationId, statusId, replyId: '1' }); // all has moved, and the reply is deleted
      expect(await app.sql(`select from jobs where name !~ 'fetch-posts' and run_at < now() + '1 min'`)).toEqual([]);
    },
  );

  it.each(['now', 'before'])(
    'has answers again that people wrote %s when its server restores its post',
    async (when) => {
      const parent = note(eve);
      const path = new URL(parent).pathname;
      await deliver(eve, parent, 1);
      const values = { status: 'yes', in_reply_to_id: (await copyOf(parent)).id };
      const answer = await ok(ada.post('/api/v1/statuses', values));
      if (when === 'before') {
        await app.sql(`update statuses set in_reply_to_uri = null where id = $1`, [answer.id]);
        await app.sql(`delete from migrations where name = 'AnsweredPosts1764000338000'`);
        await migrate(app.address);
      }
      const end = { id: `${eve.uri}#end`, type: 'Delete', object: parent };
      await sendTo(app, eve, end);
      expect(await ok(ada.get(`/api/v1/statuses/${answer.id}`))).toMatchObject({ in_reply_to_id: null });
      await ok(ada.put(`/api/v1/statuses/${answer.id}`, { status: 'yes!' }));
      await app.drain();
      const edit = away.received.findLast(({ type }) => type === 'Update');
      expect(edit).toMatchObject({ object: { id: answer.uri, inReplyTo: parent } });
      away.answers.set(path, { id: parent, type: 'Note', attributedTo: eve.uri, content: 'tea?', to: [PUBLIC] });
      await sendTo(app, eve, { id: `${eve.uri}#undo`, type: 'Undo', object: { ...end, actor: eve.uri } });
      const restored = await copyOf(parent);
      expect(restored.replies_count).toBe(1);
      const contextOf = (id: string) => ok<ContextJson>(ada.get(`/api/v1/statuses/${id}/context`));
      expect(await contextOf(restored.id)).toMatchObject({ descendants: [{ id: answer.id }] });
      expect(await contextOf(answer.id)).toMatchObject({ ancestors: [{ id: restored.id }] });
      const document = await app.http.get(new URL(answer.uri).pathname).set('accept', 'application/activity+json');
      expect(document.body).toMatchObject({ inReplyTo: parent });
    },
  );

  it('leaves out what stands in the thread of another beginning', async () => {
    const [beginning, answer, parent] = [note(mo, '/beginning'), note(mo), note(eve)];
    const context = `${peer.url}/contexts/${turn}`;
    await deliver(mo, beginning, 1, { context });
    await deliver(mo, answer, 3, { inReplyTo: parent, context });
    await deliver(eve, parent, 2);
    expect((await threadsOf(beginning, answer)).size).toBe(1);
    expect((await threadsOf(answer, parent)).size).toBe(2);
  });
});

describe('A thread on another server with this software', () => {
  const pair = usePair();
  let alice: Member;
  let bob: Member;

  beforeAll(async () => {
    [alice, bob] = await Promise.all([pair.alpha.member('alice'), pair.beta.member('bob')]);
  });

  it('is found with its replies, as many as one document lists, and the numbers of favourites and boosts', async () => {
    const root = await bob.write('root');
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push(await bob.write(`reply ${n}`, { in_reply_to_id: root.id }));
    await bob.write('deep', { in_reply_to_id: answers[0]!.id });
    await bob.write('for few', { in_reply_to_id: root.id, visibility: 'private' });
    await bob.act(root, 'favourite');
    await bob.act(root, 'reblog');
    const { body } = await pair.beta.http.get(new URL(root.uri).pathname).set('accept', 'application/activity+json');
    const document = body as { replies: { first: { items: string[] } } };
    expect(document).toMatchObject({
      replies: { id: `${root.uri}/replies`, totalItems: 21 },
      likes: { totalItems: 1 },
      shares: { totalItems: 1 },
    });
    expect(document.replies.first.items).toEqual(answers.slice(0, 20).map(({ uri }) => uri));
    await alice.get('/api/v2/search', { q: root.uri, resolve: true }).expect(200);
    await pair.alpha.drain();
    const copy = await alice.copyOf(root);
    const context = await alice.get(`/api/v1/statuses/${copy!.id}/context`).expect(200);
    const { descendants } = context.body as { descendants: { uri: string }[] };
    expect(descendants).toHaveLength(22);
  });
});
