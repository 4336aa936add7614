import { OutboxService } from '../../src/federation/outbox/outbox.service.js';
import { addEmoji } from '../support/fixtures/emoji.js';
import { expectCountersToMatchRows, ok } from '../support/fixtures/statuses.js';
import { type Cast, type Member, type Post, startCast } from '../support/federation/servers.js';

let pair: Cast;
let alice: Member;
let carol: Member;
let bob: Member;
let erin: Member;

/** erin follows alice, and carol follows bob. */
beforeAll(async () => {
  pair = await startCast();
  ({ alice, carol, bob, erin } = pair);
  await erin.follow(alice);
  await carol.follow(bob);
  await pair.settle();
  await Promise.all([addEmoji(pair.alpha, 'cat'), addEmoji(pair.beta, 'dog')]);
});
afterAll(async () => {
  for (const server of [pair.alpha, pair.beta]) await expectCountersToMatchRows(server);
  await pair.close();
});

const write: Cast['write'] = (...args) => pair.write(...args);
const act = async (who: Member, post: Post, action: string) => {
  const answer = await who.act(post, action);
  await pair.settle();
  return answer;
};
/** Sends alice an Undo by an account of beta, which names the undone activity by id. */
const undoById = async (who: Member, object: string) => {
  const [to, id] = [[alice.uri], `${who.uri}#undo/${Math.random()}`];
  const undo = { id, type: 'Undo', actor: who.uri, to, cc: [], object };
  const audience = { accountIds: [await who.idOf(alice)], shared: false };
  await pair.beta.get(OutboxService).send(undo, { accountId: who.id, orderingKey: 'undo' }, audience);
};
/** The URI of the boost of a post, as beta stores it. */
const reblogUri = async ({ uri }: Post) => {
  const boost = 'select b.uri from statuses b join statuses s on s.id = b.reblog_of_id where s.uri = $1';
  return (await pair.beta.sql<{ uri: string }>(boost, [uri]))[0]!.uri;
};
/** The accounts that caused the notifications about a post. */
const notifiers = async (member: Member, type: string, { uri }: Post) =>
  (await member.notifications(type)).filter(({ status }) => status?.uri === uri).map(({ account }) => account.acct);

describe('a favourite', () => {
  it('is counted on the server of the post, notifies its author, and can be undone', async () => {
    const post = await write(alice, 'tea');
    await act(bob, post, 'favourite');
    expect(await alice.copyOf(post)).toMatchObject({ favourites_count: 1, favourited: false });
    expect(await bob.copyOf(post)).toMatchObject({ favourites_count: 1, favourited: true });
    expect(await notifiers(alice, 'favourite', post)).toEqual([bob.handle]);
    await act(bob, post, 'unfavourite');
    expect(await alice.copyOf(post)).toMatchObject({ favourites_count: 0 });
    expect(await notifiers(alice, 'favourite', post)).toEqual([]);
    await act(bob, post, 'favourite');
    expect(await alice.copyOf(post)).toMatchObject({ favourites_count: 1 });
  });

  it('of a followers-only post reaches its author', async () => {
    const post = await write(alice, 'tea', { visibility: 'private' });
    await act(bob, post, 'favourite');
    expect(await alice.copyOf(post)).toMatchObject({ favourites_count: 1 });
  });

  it('by an account on the server of the author is not sent to other servers', async () => {
    const post = await write(alice, 'tea');
    await act(carol, post, 'favourite');
    expect(await bob.copyOf(post)).toMatchObject({ favourites_count: 0 });
  });
});

describe('a boost', () => {
  it('is shown to followers of the booster, counted, notified to the author, and can be undone', async () => {
    const post = await write(alice, 'tea');
    await act(bob, post, 'reblog');
    expect(await alice.copyOf(post)).toMatchObject({ reblogs_count: 1 });
    expect(await notifiers(alice, 'reblog', post)).toEqual([bob.handle]);
    const entries = async () => (await carol.home()) as unknown as { account: { acct: string }; reblog: Post | null }[];
    const boost = (await entries()).find(({ reblog }) => reblog?.uri === post.uri);
    expect(boost).toMatchObject({ account: { acct: bob.handle } });
    await act(bob, post, 'unreblog');
    expect(await alice.copyOf(post)).toMatchObject({ reblogs_count: 0 });
    expect((await entries()).some(({ reblog }) => reblog?.uri === post.uri)).toBe(false);
  });

  it('ends with an Undo that names it by id, but only one by the account that boosted', async () => {
    const post = await write(alice, 'tea');
    await act(bob, post, 'reblog');
    for (const [sender, left] of [[erin, 1] as const, [bob, 0] as const]) {
      await undoById(sender, await reblogUri(post));
      await pair.settle();
      expect(await alice.copyOf(post)).toMatchObject({ reblogs_count: left });
    }
  });

  it('ends with an Undo by id that arrives in the same batch', async () => {
    const post = await write(alice, 'tea');
    await bob.act(post, 'reblog');
    await pair.beta.drain();
    await undoById(bob, await reblogUri(post));
    await pair.beta.drain();
    await pair.settle();
    expect(await alice.copyOf(post)).toMatchObject({ reblogs_count: 0 });
  });

  it('brings the boosted post to a server that did not have it', async () => {
    const post = await write(carol, 'seldom read');
    expect(await erin.copyOf(post)).toBeUndefined();
    await act(alice, post, 'reblog');
    expect(await erin.copyOf(post)).toMatchObject({ account: { acct: carol.handle } });
    expect((await erin.home()).map((entry) => (entry as { reblog: Post | null }).reblog?.uri)).toContain(post.uri);
  });

  it('of an own followers-only post stays followers-only', async () => {
    const post = await write(alice, 'tea', { visibility: 'private' });
    await act(alice, post, 'reblog');
    const [boost] = await pair.beta.sql<{ visibility: number }>(
      `select b.visibility from statuses b join statuses s on s.id = b.reblog_of_id where s.uri = $1`,
      [post.uri],
    );
    expect(boost).toEqual({ visibility: 2 });
  });
});

describe('a reaction', () => {
  const react = async (who: Member, verb: 'put' | 'delete', post: Post, emoji: string) => {
    const { id } = (await who.copyOf(post))!;
    await ok(who[verb](`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent(emoji)}`));
    await pair.settle();
  };
  const shown = async (who: Member, post: Post) => (await who.copyOf(post))!.svc.emoji_reactions;

  it('with an emoji is shown to the author, notified, and can be undone', async () => {
    const post = await write(alice, 'tea');
    await react(bob, 'put', post, '🍵');
    await react(bob, 'put', post, '🎉');
    expect(await shown(alice, post)).toMatchObject([
      { name: '🍵', count: 1, me: false },
      { name: '🎉', count: 1, me: false },
    ]);
    expect(await notifiers(alice, 'svc:emoji_reaction', post)).toEqual([bob.handle, bob.handle]);
    await react(bob, 'delete', post, '🍵');
    expect(await shown(alice, post)).toMatchObject([{ name: '🎉', count: 1 }]);
  });

  it('with a custom emoji includes its picture', async () => {
    const post = await write(alice, 'tea');
    await react(bob, 'put', post, 'dog');
    const [reaction] = await shown(alice, post);
    expect(reaction).toMatchObject({ count: 1, me: false, url: expect.stringContaining('dog.png') });
    expect(reaction!.name).toMatch(/^dog\b/);
    await react(bob, 'delete', post, 'dog');
    expect(await shown(alice, post)).toEqual([]);
  });
});

describe('a poll', () => {
  const ask = (options: object = {}) =>
    write(alice, 'tea?', { poll: { options: ['green', 'black', 'none'], expires_in: 3_600, ...options } });
  const vote = async (who: Member, post: Post, ...choices: number[]) => {
    const { poll } = (await who.copyOf(post))!;
    await ok(who.post(`/api/v1/polls/${poll!.id}/votes`, { choices }));
    await pair.settle();
    await pair.alpha.sql(`update jobs set run_at = now() where name = 'federation.send-poll-counts'`);
    await pair.settle();
  };
  const counts = async (who: Member, post: Post) => {
    const { poll } = (await who.copyOf(post))!;
    return { options: poll!.options.map(({ votes_count }) => votes_count), voters: poll!.voters_count };
  };
  const end = async () => {
    for (const server of [pair.alpha, pair.beta]) {
      await server.sql(`update polls set expires_at = now() - interval '1 second'`);
      await server.sql(`update jobs set run_at = now() where name = 'polls.close'`);
    }
    await pair.settle();
  };

  it('is the same on the other server', async () => {
    const post = await ask({ multiple: true });
    const [here, there] = [(await alice.copyOf(post))!.poll!, (await bob.copyOf(post))!.poll!];
    expect(there).toMatchObject({ multiple: true, expired: false, voted: false, expires_at: here.expires_at });
    expect(there.options.map(({ title }) => title)).toEqual(['green', 'black', 'none']);
  });

  it('counts each voter of another server once and shows the result on both servers', async () => {
    const post = await ask();
    await vote(bob, post, 1);
    await vote(carol, post, 0);
    expect(await counts(alice, post)).toEqual({ options: [1, 1, 0], voters: 2 });
    expect(await counts(bob, post)).toEqual({ options: [1, 1, 0], voters: 2 });
    expect(await counts(erin, post)).toEqual({ options: [1, 1, 0], voters: 2 });
    expect((await bob.copyOf(post))!.poll).toMatchObject({ voted: true, own_votes: [1] });
    expect(
      await pair.alpha.sql(`select from statuses where author_id <> $1 and content_html like '%black%'`, [alice.id]),
    ).toEqual([]); // a vote is not stored as a post
  });

  it('with several choices counts each choice of one voter', async () => {
    const post = await ask({ multiple: true });
    await vote(bob, post, 0, 2);
    expect(await counts(alice, post)).toEqual({ options: [1, 0, 1], voters: 1 });
    expect(await counts(erin, post)).toEqual({ options: [1, 0, 1], voters: 1 });
  });

  it('notifies voters on both servers when it ends', async () => {
    const post = await ask();
    await vote(bob, post, 1);
    await end();
    expect(await notifiers(bob, 'poll', post)).toEqual([alice.handle]);
    expect(await notifiers(alice, 'poll', post)).toEqual(['alice']);
    expect((await bob.copyOf(post))!.poll).toMatchObject({ expired: true });
  });
});

describe('a quote', () => {
  it('shows the quoted post on the other server, and notifies its author', async () => {
    const post = await write(alice, 'tea');
    const quote = await write(bob, 'so true', { quote_id: (await bob.copyOf(post))!.id });
    expect(await alice.copyOf(quote)).toMatchObject({
      svc: { quote: { uri: post.uri }, quote_url: post.uri, quote_visible: true },
    });
    expect(await alice.copyOf(post)).toMatchObject({ quotes_count: 1 });
    expect(await notifiers(alice, 'quote', quote)).toEqual([bob.handle]);
  });

  it('brings the quoted post to a server that does not have it', async () => {
    const post = await write(carol, 'seldom read');
    expect(await erin.copyOf(post)).toBeUndefined();
    const quote = await write(alice, 'so true', { quote_id: post.id });
    expect(await erin.copyOf(quote)).toMatchObject({ svc: { quote: { uri: post.uri }, quote_visible: true } });
  });

  it('of a followers-only post is shown to followers only', async () => {
    const post = await write(alice, 'for followers', { visibility: 'private' });
    const quote = await write(alice, 'so true', { quote_id: post.id, visibility: 'private' });
    expect((await erin.copyOf(quote))!.svc).toMatchObject({ quote: { uri: post.uri }, quote_visible: true });
    const stranger = await pair.beta.member('stranger');
    expect(await stranger.copyOf(quote)).toBeUndefined();
  });
});

describe('a pinned post', () => {
  it('is also pinned on the other server until it is unpinned', async () => {
    const post = await write(alice, 'read this first');
    const pinned = async () => {
      const id = await bob.idOf(alice);
      return (await ok<Post[]>(bob.get(`/api/v1/accounts/${id}/statuses`, { pinned: true }))).map(({ uri }) => uri);
    };
    await act(alice, post, 'pin');
    expect(await pinned()).toEqual([post.uri]);
    await act(alice, post, 'unpin');
    expect(await pinned()).toEqual([]);
  });
});

describe('a bookmark', () => {
  it('sends nothing to the other server', async () => {
    const post = await write(alice, 'tea');
    const deliveries = () => pair.beta.sql('select count(*) from activities');
    const before = await deliveries();
    await act(bob, post, 'bookmark');
    expect(await deliveries()).toEqual(before);
  });
});
