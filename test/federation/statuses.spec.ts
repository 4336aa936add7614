import { addEmoji } from '../support/fixtures/emoji.js';
import { ok } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import { type Cast, type Member, type Post, startCast } from '../support/federation/servers.js';

let pair: Cast;
let alice: Member;
let carol: Member;
let bob: Member;
let erin: Member;

beforeAll(async () => {
  pair = await startCast();
  ({ alice, carol, bob, erin } = pair);
});
afterAll(() => pair.close());

const write: Cast['write'] = (...args) => pair.write(...args);
const isHome = async (reader: Member, { uri }: Post) => (await reader.home()).some((post) => post.uri === uri);
const isSeen = async (reader: Member, post: Post) => (await reader.copyOf(post)) !== undefined;
const isStored = async ({ uri }: Post) =>
  (await pair.beta.sql('select from statuses where uri = $1', [uri])).length > 0;

describe('a post', () => {
  it.each([
    ['public', { follower: true, stranger: true }],
    ['unlisted', { follower: true, stranger: true }],
    ['private', { follower: true, stranger: false }],
  ])('with visibility %s reaches followers and is visible only to permitted accounts', async (visibility, seen) => {
    const post = await write(alice, `for ${visibility}`, { visibility });
    expect(await bob.copyOf(post)).toMatchObject({ visibility, account: { acct: alice.handle } });
    expect(await isHome(bob, post)).toBe(seen.follower);
    expect(await isSeen(erin, post)).toBe(seen.stranger);
    expect(await isHome(erin, post)).toBe(false);
  });

  it('appears in the federated timeline when it is public, but not when it is unlisted', async () => {
    const [open, quiet] = [await write(alice, 'open'), await write(alice, 'quiet', { visibility: 'unlisted' })];
    const timeline = await ok<Post[]>(erin.get('/api/v1/timelines/public', { limit: 40 }));
    const uris = timeline.map(({ uri }) => uri);
    expect(uris).toContain(open.uri);
    expect(uris).not.toContain(quiet.uri);
  });

  it('reaches only the mentioned account when it is direct', async () => {
    const post = await write(alice, `@${erin.handle} psst`, { visibility: 'direct' });
    expect(await erin.copyOf(post)).toMatchObject({ visibility: 'direct', mentions: [{ acct: 'erin' }] });
    expect(await erin.notifications('mention')).toMatchObject([
      { account: { acct: alice.handle }, status: { uri: post.uri } },
    ]);
    expect(await isSeen(bob, post)).toBe(false);
    expect(await ok<unknown>(erin.get('/api/v1/conversations'))).toMatchObject([{ last_status: { uri: post.uri } }]);
  });

  it('stays on its server when it is direct and mentions only local accounts', async () => {
    const post = await write(alice, `@carol psst`, { visibility: 'direct' });
    expect(await isStored(post)).toBe(false);
    expect(await isSeen(carol, post)).toBe(true);
  });

  it('stays on its server when it is local, even when it mentions a remote account', async () => {
    const post = await write(alice, `@${bob.handle} here only`, { visibility: 'local' });
    expect(await isStored(post)).toBe(false);
    expect(await isSeen(carol, post)).toBe(true);
  });

  it('for a list reaches only the members, and shows them neither the list nor other members', async () => {
    const list = await ok<{ id: string }>(alice.post('/api/v1/lists', { title: 'tea' }));
    await ok(alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [await alice.idOf(bob)] }));
    const post = await write(alice, 'tea?', { visibility: `list:${list.id}` });
    expect(await bob.copyOf(post)).toMatchObject({ mentions: [], svc: { list_id: null } });
    expect(await isHome(bob, post)).toBe(true);
    expect(await isSeen(erin, post)).toBe(false);
  });
});

describe('the content of a post', () => {
  it('is the same on the other server', async () => {
    await addEmoji(pair.alpha, 'cat');
    const media = await upload(pair.alpha, 'alice');
    await ok(alice.put(`/api/v1/media/${media.id}`, { description: 'a cup' }));
    const post = await alice.write('**tea** :cat: #Time', {
      content_type: 'text/markdown',
      spoiler_text: 'drinks',
      sensitive: true,
      language: 'en',
      media_ids: [media.id],
    });
    await pair.settle();
    const copy = await bob.copyOf(post);
    expect(copy).toMatchObject({
      created_at: post.created_at,
      spoiler_text: 'drinks',
      sensitive: true,
      language: 'en',
      visibility: 'public',
      tags: [{ name: 'time' }],
      emojis: [{ shortcode: 'cat' }],
      media_attachments: [{ type: 'image', description: 'a cup', blurhash: post.media_attachments[0]!.blurhash }],
      svc: { local: false, content: { 'text/plain': post.svc.content['text/plain'] } },
    });
    await ok(alice.put(`/api/v1/media/${media.id}`, { description: 'a saucer' }));
    await pair.settle();
    expect((await bob.copyOf(post))!.media_attachments).toMatchObject([{ description: 'a saucer' }]);
    expect(copy!.content).toContain('<strong>tea</strong>');
    expect(copy!.media_attachments[0]!.remote_url).toBe(media.url);
    expect(await ok<unknown>(erin.get('/api/v1/timelines/tag/time'))).toMatchObject([{ uri: post.uri }]);
  });

  it('links mentions to the accounts as the other server knows them', async () => {
    const post = await write(alice, `@${bob.handle} @carol tea`);
    const { mentions } = (await bob.copyOf(post))!;
    expect(mentions.map(({ acct }) => acct).sort()).toEqual(['bob', carol.handle].sort());
    expect(await bob.notifications('mention')).toMatchObject([{ status: { uri: post.uri } }]);
  });
});

describe('a thread across servers', () => {
  it('is connected on both servers', async () => {
    const question = await write(alice, 'tea?');
    const { id } = (await bob.copyOf(question))!;
    const answer = await write(bob, `@${alice.handle} yes`, { in_reply_to_id: id });
    const thanks = await write(alice, `@${bob.handle} here`, { in_reply_to_id: (await alice.copyOf(answer))!.id });
    expect(await alice.notifications('mention')).toMatchObject([
      { account: { acct: bob.handle }, status: { uri: answer.uri } },
    ]);
    expect(await alice.copyOf(question)).toMatchObject({ replies_count: 1 });
    expect(await bob.copyOf(question)).toMatchObject({ replies_count: 1 });
    for (const reader of [alice, bob]) {
      const shown = (await reader.copyOf(answer))!;
      const { ancestors, descendants } = await ok<{ ancestors: Post[]; descendants: Post[] }>(
        reader.get(`/api/v1/statuses/${shown.id}/context`),
      );
      expect(ancestors.map(({ uri }) => uri)).toEqual([question.uri]);
      expect(descendants.map(({ uri }) => uri)).toEqual([thanks.uri]);
    }
    const [here, there] = [(await alice.copyOf(thanks))!, (await bob.copyOf(thanks))!];
    expect(there.svc.context).toBe(here.svc.context);
  });

  it('is completed with the earlier posts when its last post is found first', async () => {
    const first = await write(carol, 'one');
    const second = await write(carol, 'two', { in_reply_to_id: first.id });
    const third = await write(carol, 'three', { in_reply_to_id: second.id });
    expect(await isStored(first)).toBe(false);
    const query = { q: third.uri, resolve: true, type: 'statuses' };
    const { statuses } = await ok<{ statuses: Post[] }>(erin.get('/api/v2/search', query));
    expect(statuses).toMatchObject([{ uri: third.uri }]);
    await pair.settle();
    const { id } = (await erin.copyOf(third))!;
    const { ancestors } = await ok<{ ancestors: Post[] }>(erin.get(`/api/v1/statuses/${id}/context`));
    expect(ancestors.map(({ uri }) => uri)).toEqual([first.uri, second.uri]);
  });

  it('does not show an answer for followers only to the author of what it answers, who is none of them', async () => {
    const { id } = await alice.act(await write(erin, `@${alice.handle} tea?`), 'favourite');
    const options = { in_reply_to_id: id, visibility: 'private' };
    const answer = await write(alice, 'do not tell', options);
    expect([await isSeen(erin, answer), await isSeen(bob, answer)]).toEqual([false, true]);
    const named = await write(alice, `@${erin.handle} certainly`, options);
    expect(await isSeen(erin, named)).toBe(true);
  });
});

describe('an edit', () => {
  it('changes the copy, keeps the old version, and notifies accounts that boosted the post', async () => {
    const post = await write(alice, 'tae');
    await bob.act(post, 'reblog');
    await pair.settle();
    await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'tea', spoiler_text: 'drinks' }));
    await pair.settle();
    const copy = (await bob.copyOf(post))!;
    expect(copy).toMatchObject({ spoiler_text: 'drinks', svc: { content: { 'text/plain': 'tea' } } });
    expect(copy.edited_at).toBe((await alice.copyOf(post))!.edited_at);
    const history = await ok<{ content: string }[]>(bob.get(`/api/v1/statuses/${copy.id}/history`));
    expect(history.map(({ content }) => content.replace(/<[^>]+>/g, ''))).toEqual(['tae', 'tea']);
    expect(await bob.notifications('update')).toMatchObject([{ status: { uri: post.uri } }]);
  });

  it('removes the poll, or allows several of the same options', async () => {
    const poll = { options: ['tea', 'milk'], expires_in: 3_600 };
    const post = await write(alice, 'what?', { poll });
    const edit = async (values: object) => {
      await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'what?', ...values }));
      await pair.settle();
      return (await bob.copyOf(post))!.poll;
    };
    expect(await edit({ poll: { ...poll, multiple: true } })).toMatchObject({ multiple: true });
    expect(await edit({})).toBeNull();
    const left = `select from polls p join statuses s on s.id = p.status_id where s.uri = $1`;
    expect(await pair.beta.sql(left, [post.uri])).toEqual([]);
  });

  it('reaches an account that is mentioned for the first time', async () => {
    const post = await write(carol, 'tea');
    expect(await isStored(post)).toBe(false);
    await ok(carol.put(`/api/v1/statuses/${post.id}`, { status: `tea, @${erin.handle}` }));
    await pair.settle();
    expect(await erin.copyOf(post)).toMatchObject({ mentions: [{ acct: 'erin' }] });
    expect((await erin.notifications('mention')).map(({ status }) => status?.uri)).toContain(post.uri);
  });
});

describe('the deletion of a post', () => {
  it('also deletes its copy, boosts and notifications', async () => {
    const post = await write(alice, `@${bob.handle} for now`);
    await erin.act(post, 'reblog');
    await pair.settle();
    await ok(alice.delete(`/api/v1/statuses/${post.id}`));
    await pair.settle();
    expect(await isStored(post)).toBe(false);
    expect((await bob.notifications('mention')).map(({ status }) => status?.uri)).not.toContain(post.uri);
    expect(await pair.beta.sql('select former_type from tombstones where uri = $1', [post.uri])).toHaveLength(1);
  });

  it('happens by itself when the post expires', async () => {
    const post = await write(alice, 'two hours', { expires_in: 7_200 });
    expect(await isSeen(bob, post)).toBe(true);
    await pair.alpha.sql(`update statuses set expires_at = now() - interval '1 minute' where id = $1`, [post.id]);
    await pair.alpha.sql(`update jobs set run_at = now() where name = 'statuses.expire'`);
    await pair.settle();
    expect(await isStored(post)).toBe(false);
  });
});
