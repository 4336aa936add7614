import { SettingsService } from '../../src/config/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../support/federation/raw-peer.js';
import { type Member, usePair } from '../support/federation/servers.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;

interface Version {
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly created_at: string;
  readonly emojis: readonly { readonly shortcode: string }[];
}

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const ACCEPT = 'application/activity+json';
const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

describe('A post that was edited before another server learned of it', () => {
  const pair = usePair();
  let ann: Member;
  let ben: Member;

  beforeAll(async () => {
    [ann, ben] = await Promise.all([pair.alpha.member('ann'), pair.beta.member('ben')]);
  });

  const history = async (reader: Member, id: string) => {
    const versions = await ok<Version[]>(reader.get(`/api/v1/statuses/${id}/history`));
    return versions.map(({ content, spoiler_text, sensitive, created_at }) => {
      return { content, spoiler_text, sensitive, created_at };
    });
  };

  it.each(['public', 'unlisted'])('has its whole history on that server when it is %s', async (visibility) => {
    const post = await ann.write('<one>', { visibility });
    await ok(ann.put(`/api/v1/statuses/${post.id}`, { status: 'two', spoiler_text: 'hot', sensitive: true }));
    await ok(ann.put(`/api/v1/statuses/${post.id}`, { status: 'three' }));
    await ok(ben.get('/api/v2/search', { q: post.uri, resolve: true }));
    await pair.settle();
    const copy = await ben.copyOf(post);
    const there = await history(ben, copy!.id);
    expect(there).toEqual(await history(ann, post.id));
    expect(there.map(({ spoiler_text }) => spoiler_text)).toEqual(['', 'hot', '']);
    await ok(ann.put(`/api/v1/statuses/${post.id}`, { status: 'four' }));
    await pair.settle();
    await ok(ben.get('/api/v2/search', { q: post.uri, resolve: true }));
    await pair.settle();
    expect(await history(ben, copy!.id)).toEqual(await history(ann, post.id));
  });

  it('is sent with the newest twenty of its versions', async () => {
    const post = await ann.write('number 0');
    for (let edit = 1; edit <= 22; edit += 1)
      await ok(ann.put(`/api/v1/statuses/${post.id}`, { status: `number ${edit}` }));
    const { body } = await pair.alpha.http.get(new URL(post.uri).pathname).set('accept', ACCEPT).expect(200);
    const { formerRepresentations: former } = body as { formerRepresentations: { orderedItems: Json[] } };
    expect(former).toMatchObject({ type: 'OrderedCollection', totalItems: 20 });
    expect([former.orderedItems[0], former.orderedItems[19]]).toMatchObject([
      { type: 'Note', content: '<p>number 21</p>', attributedTo: ann.uri },
      { type: 'Note', content: '<p>number 2</p>', attributedTo: ann.uri },
    ]);
  });

  it.each([['private'], ['direct']])('is sent without its earlier versions when it is %s', async (visibility) => {
    await ben.follow(ann);
    await pair.settle();
    const post = await ann.write(`@${ben.handle} first ${visibility} text`, { visibility });
    await ok(ann.put(`/api/v1/statuses/${post.id}`, { status: `@${ben.handle} second ${visibility} text` }));
    await pair.settle();
    const sent = await pair.alpha.sql<{ body: Json }>('select body from activities');
    expect(JSON.stringify(sent.filter(({ body }) => body['type'] === 'Update'))).toContain(`second ${visibility} text`);
    expect(JSON.stringify(sent.filter(({ body }) => body['type'] === 'Update'))).not.toContain(
      `first ${visibility} text`,
    );
  });
});

describe('The earlier versions that a post of another server names', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let mo: RawActor;
  let turn = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(() => {
    mo = peer.actor(`mo${(turn += 1)}`, key);
  });
  afterEach(() => app.get(SettingsService).reset('mrf_keyword.reject'));

  const note = (former: unknown, changes: Json = {}): Json => ({
    id: `${mo.uri}/notes/1`,
    type: 'Note',
    attributedTo: mo.uri,
    to: [PUBLIC],
    cc: [`${app.env.baseUrl}/users/ada`],
    content: 'now',
    published: day(1),
    updated: day(28),
    formerRepresentations: former,
    ...changes,
  });
  const list = (...orderedItems: readonly unknown[]): Json => ({ type: 'OrderedCollection', orderedItems });
  const version = (content: string, changes: Json = {}): Json => ({
    type: 'Note',
    attributedTo: mo.uri,
    content,
    published: day(1),
    ...changes,
  });
  const send = (type: string, object: Json) => sendTo(app, mo, { id: `${mo.uri}#${(turn += 1)}`, type, object });
  const versions = async () => {
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [`${mo.uri}/notes/1`]);
    return ok<Version[]>(ada.get(`/api/v1/statuses/${row?.id}/history`));
  };
  const contents = async () => (await versions()).map(({ content }) => content);

  it.each<[string, () => unknown, string[]]>([
    ['none', () => undefined, []],
    ['a list', () => list(version('a')), ['a']],
    ['its items', () => ({ type: 'Collection', items: [version('a')] }), ['a']],
    ['one that is no list', () => ({ type: 'OrderedCollection', orderedItems: version('a') }), ['a']],
    ['any order', () => list(version('b', { updated: day(3) }), version('a')), ['a', 'b']],
    ['the other order', () => list(version('a'), version('b', { updated: day(3) })), ['a', 'b']],
    ['markup', () => list(version('<p onclick="x()">a<script>b</script></p>')), ['<p>a</p>']],
    ['the id of the post', () => list(version('a', { id: `${mo.uri}/notes/1` })), ['a']],
    ['no author', () => list(version('a', { attributedTo: undefined })), ['a']],
    ['another id', () => list(version('a', { id: `${mo.uri}/notes/2` })), []],
    ['another author', () => list(version('a', { attributedTo: `${peer.url}/users/eve` })), []],
    ['another actor', () => list(version('a', { actor: `${peer.url}/users/eve` })), []],
    ['no time', () => list(version('a', { published: undefined })), []],
    ['a time after the edit', () => list(version('a', { updated: day(29) })), []],
    ['an address', () => `${peer.url}/former`, []],
    ['addresses', () => list(`${peer.url}/former/1`, null, 7, ['x']), []],
    [
      'something else than a post',
      () => list(version('a', { type: 'Tombstone' }), version('b', { type: 'Person' })),
      [],
    ],
    ['a text that is too long', () => list(version('x'.repeat(100_001)), version('b', { updated: day(3) })), ['b']],
  ])('are read from %s', async (_what, former, expected) => {
    await send('Create', note(former()));
    expect(await contents()).toEqual([...expected, 'now']);
  });

  it('are the newest twenty', async () => {
    const many = Array.from({ length: 25 }, (_, at) => version(`v${at + 1}`, { updated: day(at + 1) }));
    await send('Create', note(list(...many.reverse())));
    expect(await contents()).toEqual([...Array.from({ length: 20 }, (_, at) => `v${at + 6}`), 'now']);
  });

  it('keep their warnings, times and emoji', async () => {
    const tag = [{ type: 'Emoji', name: ':cat:', icon: { type: 'Image', url: 'https://pics.example/cat.png' } }];
    const former = version('a :cat:', { summary: 'hot <b>tea</b>', sensitive: true, updated: day(2), tag });
    await send('Create', note(list(former)));
    const [first] = await versions();
    expect(first).toMatchObject({
      spoiler_text: 'hot tea',
      sensitive: true,
      created_at: day(2),
      emojis: [{ shortcode: 'cat' }],
    });
  });

  it('are ignored for a post that was not edited', async () => {
    await send('Create', note(list(version('a')), { updated: undefined }));
    expect(await contents()).toEqual(['now']);
  });

  it('are left out where a policy refuses them', async () => {
    await app.get(SettingsService).update([{ path: 'mrf.policies', value: ['KeywordPolicy'] }]);
    await app.get(SettingsService).update([{ path: 'mrf_keyword.reject', value: ['spam'] }]);
    await send('Create', note(list(version('spam'), version('b', { updated: day(3) }))));
    await app.get(SettingsService).reset('mrf.policies');
    expect(await contents()).toEqual(['b', 'now']);
  });

  it.each(['Create', 'Update'])('do not change a stored post when they come in an %s', async (type) => {
    await send('Create', note(list(version('a'))));
    await send(type, note(list(version('forged'), version('a'))));
    await send('Update', note(list(version('a'), version('now')), { content: 'later', updated: day(29) }));
    expect(await contents()).toEqual(['a', 'now', 'later']);
  });
});
