import { type AccountJson, BlocksService, type CredentialAccountJson } from '../../../src/accounts/index.js';
import {
  type ConversationJson,
  ConversationShape,
  type PlainStatusJson,
  RemoteStatusesService,
  Visibility,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeConversations, makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, remoteStatus } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const LIST = '/api/v1/conversations';
const SVC = '/api/v1/svc/conversations';
const STATUSES = '/api/v1/statuses';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'] });
let alice: Client;
let bob: Client;
let carol: Client;

beforeEach(async () => {
  [alice, bob, carol] = await Promise.all([app.world.as('alice'), app.world.as('bob'), app.world.as('carol')]);
});

const send = (author: string, text: string, options = {}) =>
  post(app, author, text, { visibility: 'direct', ...options });
const listOf = (client: Client, query = {}) => ok<ConversationJson[]>(client.get(LIST, query));
const names = (accounts: unknown) => (accounts as AccountJson[]).map(({ username }) => username).sort();
const unreadOf = async (client: Client) =>
  (await ok<CredentialAccountJson>(client.get('/api/v1/accounts/verify_credentials'))).svc.unread_conversation_count;
const lastOf = (conversations: ConversationJson[]) => conversations.map((conversation) => conversation.last_status?.id);

describe('a direct post', () => {
  it('opens a conversation for its author and for each recipient, unread for the recipients', async () => {
    const made = await send('alice', 'psst @bob @carol');
    const [own] = await listOf(alice);
    expect(checkShape(ConversationShape, own)).toEqual([]);
    expect(own).toMatchObject({ unread: false, last_status: { id: made.id } });
    expect(made.svc.direct_conversation_id).toBe(own!.id);
    const [other] = await listOf(bob);
    expect(other).toMatchObject({
      unread: true,
      last_status: { id: made.id, svc: { direct_conversation_id: other!.id } },
    });
    expect(other!.id).not.toBe(own!.id);
    expect(names(other!.accounts)).toEqual(['alice', 'carol']);
    expect(names(other!.svc.recipients)).toEqual(['alice', 'bob', 'carol']);
    expect(await listOf(await app.world.as('dave'))).toEqual([]);
    expect([await unreadOf(alice), await unreadOf(bob), await unreadOf(carol)]).toEqual([0, 1, 1]);
  });

  it('without recipients opens a conversation of the author alone', async () => {
    const made = await send('alice', 'note to self');
    const [own] = await listOf(alice);
    expect(names(own!.accounts)).toEqual(['alice']);
    expect(own).toMatchObject({
      unread: false,
      last_status: { id: made.id, svc: { direct_conversation_id: own!.id } },
    });
  });

  it('in reply continues the conversation, and marks it as read for its author', async () => {
    const first = await send('alice', 'psst @bob');
    const before = await listOf(bob);
    const answer = await send('bob', 'yes @alice', { in_reply_to_id: first.id });
    expect(await listOf(bob)).toMatchObject([{ id: before[0]!.id, unread: false, last_status: { id: answer.id } }]);
    expect(await listOf(alice)).toMatchObject([{ unread: true, last_status: { id: answer.id } }]);
    expect([await unreadOf(alice), await unreadOf(bob)]).toEqual([1, 0]);
  });

  it('by a muted account does not mark the conversation as unread', async () => {
    await app.get(BlocksService).mute(app.world.id('bob'), app.world.id('alice'), {});
    await send('alice', 'psst @bob');
    expect(await listOf(bob)).toMatchObject([{ unread: false }]);
    expect(await unreadOf(bob)).toBe(0);
  });

  it('by a muted account leaves an unread conversation unread', async () => {
    const { id } = await send('alice', 'psst @bob @carol');
    await app.get(BlocksService).mute(app.world.id('bob'), app.world.id('carol'), {});
    const { id: answer } = await send('carol', 'yes @alice @bob', { in_reply_to_id: id });
    expect(await listOf(bob)).toMatchObject([{ unread: true, last_status: { id: answer } }]);
    expect(await unreadOf(bob)).toBe(1);
  });

  it('is neither shown nor counted as unread while its thread is muted', async () => {
    const { id } = await send('alice', 'psst @bob');
    const seen = async () => [(await listOf(bob)).map(({ unread }) => unread), await unreadOf(bob)];
    await bob.post(`${STATUSES}/${id}/mute`).expect(200);
    expect(await seen()).toEqual([[false], 0]);
    await bob.post(`${STATUSES}/${id}/unmute`).expect(200);
    expect(await seen()).toEqual([[true], 1]);
  });

  it('is the same in the conversation as by its id, without quotes and reactions of muted accounts', async () => {
    const remark = await post(app, 'carol', 'a remark');
    const sent = await send('alice', 'psst @bob', { quote_id: remark.id });
    await ok(alice.put(`/api/v1/svc/statuses/${sent.id}/reactions/☕`));
    const shown = async () => {
      const [conversation] = await listOf(bob);
      const status = await ok(bob.get(`${STATUSES}/${sent.id}`));
      expect(conversation!.last_status).toEqual(status);
      return [status.svc.quote_visible, status.svc.emoji_reactions.length];
    };
    expect(await shown()).toEqual([true, 1]);
    for (const muted of ['alice', 'carol']) {
      await app.get(BlocksService).mute(app.world.id('bob'), app.world.id(muted), {});
    }
    expect(await shown()).toEqual([false, 0]);
  });

  it('is required: a public post opens no conversation', async () => {
    const made = await post(app, 'alice', 'hello @bob');
    expect(made.svc.direct_conversation_id).toBeNull();
    expect(await listOf(bob)).toEqual([]);
  });
});

describe('the list of conversations', () => {
  it('is sorted by the last posts, and is paged by their ids and by those of the conversations', async () => {
    const posts: PlainStatusJson[] = [];
    for (const name of ['bob', 'carol', 'dave', 'bob']) {
      posts.push(await send('alice', `psst @${name}`));
    }
    const whole = await listOf(alice);
    expect(lastOf(whole)).toEqual(posts.map(({ id }) => id).reverse());
    const newest = await send('bob', 'again @alice', { in_reply_to_id: posts[0]!.id });
    const moved = await listOf(alice);
    expect(lastOf(moved)).toEqual([newest.id, posts[3]!.id, posts[2]!.id, posts[1]!.id]);

    const answer = await alice.get(LIST, { limit: 2 }).expect(200);
    const ids = (answer.body as ConversationJson[]).map(({ id }) => id);
    expect(answer.headers['link']).toContain(`max_id=${posts[3]!.id}`);
    expect(answer.headers['link']).toContain(`min_id=${newest.id}`);
    for (const max_id of [ids[1], posts[3]!.id]) {
      const older = await listOf(alice, { limit: 2, max_id });
      expect([...ids, ...older.map(({ id }) => id)]).toEqual(moved.map(({ id }) => id));
    }
    expect(lastOf(await listOf(alice, { limit: 2, min_id: posts[1]!.id }))).toEqual([posts[3]!.id, posts[2]!.id]);
    expect(lastOf(await listOf(alice, { since_id: posts[3]!.id }))).toEqual([newest.id]);
    expect((await listOf(alice, { limit: 2, min_id: moved[3]!.id })).map(({ id }) => id)).toEqual([
      moved[1]!.id,
      moved[2]!.id,
    ]);
    expect((await listOf(alice, { since_id: moved[1]!.id })).map(({ id }) => id)).toEqual([moved[0]!.id]);
    await ok(alice.delete(`${LIST}/${ids[1]}`));
    for (const max_id of [ids[1], posts[3]!.id]) {
      expect(lastOf(await listOf(alice, { max_id }))).toEqual([posts[2]!.id, posts[1]!.id]);
    }
  });

  it('shows a new post in its first conversation to apps that go on from there', async () => {
    await send('alice', 'psst @bob');
    const first = await send('alice', 'psst @carol');
    const { headers } = await alice.get(LIST).expect(200);
    const prev = new URL(/<([^>]+)>; rel="prev"/.exec(headers['link']!)![1]!);
    const next = await send('carol', 'yes @alice', { in_reply_to_id: first.id });
    expect(lastOf(await ok(alice.get(`${prev.pathname}${prev.search}`)))).toEqual([next.id]);
  });

  it.each([
    [['bob'], ['bob']],
    [['alice', 'bob'], ['bob']],
    [['bob', 'bob'], ['bob']],
    [
      ['carol', 'bob'],
      ['bob', 'carol'],
    ],
    [['carol'], undefined],
    [['dave'], undefined],
    [['alice'], []],
  ])(
    'filtered by the recipients %j lists those of exactly these people and the owner',
    async (recipients, expected) => {
      const sent = [['bob'], ['bob', 'carol'], []];
      const ids: string[] = [];
      for (const people of sent) {
        const text = ['psst', ...people.map((name) => `@${name}`)].join(' ');
        ids.push((await send('alice', text)).id);
      }
      const found = lastOf(await listOf(alice, { recipients: recipients.map((name) => app.world.id(name)) }));
      const at = sent.findIndex((people) => String(people) === String(expected));
      expect(found).toEqual(expected === undefined ? [] : [ids[at]]);
    },
  );

  it('V10 excludes conversations with blocked accounts alone, and posts by blocked accounts', async () => {
    await send('bob', 'psst @alice');
    const crowd = await send('bob', 'psst @alice @carol');
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), {});
    const [left, ...none] = await listOf(alice);
    expect(none).toEqual([]);
    expect(left).toMatchObject({ last_status: null });
    expect(await unreadOf(alice)).toBe(0);
    expect(await ok<PlainStatusJson[]>(alice.get(`${SVC}/${left!.id}/statuses`))).toEqual([]);
    expect(lastOf(await listOf(carol))).toEqual([crowd.id]);
  });

  it.each([
    ['alice', 'bob'],
    ['bob', 'alice'],
  ])(
    'are read while their last post is hidden, after %s blocks %s, and as before without the block',
    async (...pair) => {
      await send('bob', 'psst @alice');
      const { id } = await send('bob', 'psst @alice @carol');
      const seen = async () => [(await listOf(alice)).map(({ unread }) => unread), await unreadOf(alice)];
      const [blocker, blocked] = pair.map((name) => app.world.id(name)) as [string, string];
      await app.get(BlocksService).block(blocker, blocked, {});
      expect(await seen()).toEqual([[false], 0]);
      await app.get(BlocksService).unblock(blocker, blocked);
      expect(await seen()).toEqual([[true, true], 2]);
      await app.get(BlocksService).block(blocker, blocked, {});
      await send('carol', 'yes @alice', { in_reply_to_id: id });
      expect(await seen()).toEqual([[true], 1]);
      await ok<unknown>(alice.post(`${SVC}/read`));
      await app.get(BlocksService).unblock(blocker, blocked);
      expect(await seen()).toEqual([[false, false], 0]);
    },
  );

  it('V10 excludes conversations with accounts of blocked servers alone, and leaves others read, unless the owner follows', async () => {
    const [owner, { id: eve }] = [app.world.id('alice'), await app.world.remote('eve', 'far.test')];
    const receive = (uri: string, ...people: string[]) => {
      const mentions = people.map((name) => ({ accountId: app.world.id(name), silent: false }));
      const facts = { visibility: Visibility.direct, contextUri: `${uri}/context`, mentions };
      return app.get(RemoteStatusesService).create(remoteStatus({ uri, authorId: eve }, facts));
    };
    const seen = async () => [(await listOf(alice)).map(({ unread }) => unread), await unreadOf(alice)];
    await receive('https://far.test/1', 'alice');
    expect(await seen()).toEqual([[true], 1]);
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [owner]);
    await receive('https://far.test/2', 'alice');
    await receive('https://far.test/3', 'alice', 'bob');
    expect(await seen()).toEqual([[false], 0]);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [owner, eve]);
    await receive('https://far.test/4', 'alice');
    expect(await seen()).toEqual([[true, false, false, true], 2]);
  });

  it('V15 shows neither posts nor names of deactivated accounts', async () => {
    await send('bob', 'psst @alice');
    await send('bob', 'psst @alice @carol');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    const [left, ...none] = await listOf(alice);
    expect(none).toEqual([]);
    expect(left).toMatchObject({ last_status: null });
    expect(names(left!.accounts)).toEqual(['carol']);
    expect(names(left!.svc.recipients)).toEqual(['alice', 'carol']);
  });

  it('shows the previous post when the last one is deleted, and drops a conversation without posts', async () => {
    const first = await send('alice', 'psst @bob');
    const second = await send('bob', 'yes @alice', { in_reply_to_id: first.id });
    const aside = await send('bob', 'only to you @carol', { in_reply_to_id: first.id });
    await bob.delete(`${STATUSES}/${aside.id}`).expect(200);
    expect(await listOf(carol)).toEqual([]);
    expect(lastOf(await listOf(alice))).toEqual([second.id]);
    await bob.delete(`${STATUSES}/${second.id}`).expect(200);
    expect([lastOf(await listOf(alice)), lastOf(await listOf(bob))]).toEqual([[first.id], [first.id]]);
    await alice.delete(`${STATUSES}/${first.id}`).expect(200);
    expect([await listOf(alice), await listOf(bob)]).toEqual([[], []]);
  });
});

describe('a conversation', () => {
  it('can be marked as read, alone or with all others, and can be hidden until the next post', async () => {
    await send('alice', 'one @bob');
    await send('carol', 'two @bob');
    const [two, one] = await listOf(bob);
    expect(await ok<ConversationJson>(bob.post(`${LIST}/${one!.id}/read`))).toMatchObject({ unread: false });
    expect(await ok<ConversationJson>(bob.post(`${LIST}/${one!.id}/unread`))).toMatchObject({ unread: true });
    expect(await ok<ConversationJson>(bob.post(`${LIST}/${one!.id}/read`))).toMatchObject({
      id: one!.id,
      unread: false,
    });
    expect(await unreadOf(bob)).toBe(1);
    expect(await ok<ConversationJson[]>(bob.post(`${SVC}/read`))).toMatchObject([{ id: two!.id, unread: false }]);
    expect(await ok<ConversationJson[]>(bob.post('/api/svc/conversations/read'))).toEqual([]);
    expect(await unreadOf(bob)).toBe(0);
    await bob.delete(`${LIST}/${two!.id}`).expect(200, {});
    expect((await listOf(bob)).map(({ id }) => id)).toEqual([one!.id]);
    await send('carol', 'three @bob', { in_reply_to_id: two!.last_status!.id });
    expect(await listOf(bob)).toHaveLength(2);
  });

  it('shows its direct posts to its participants', async () => {
    const root = await post(app, 'alice', 'in public @bob');
    const first = await send('bob', 'psst @alice', { in_reply_to_id: root.id });
    await send('bob', 'aside @carol', { in_reply_to_id: root.id });
    const second = await send('alice', 'yes @bob', { in_reply_to_id: first.id });
    const [own] = await listOf(alice);
    const page = await alice.get(`${SVC}/${own!.id}/statuses`, { limit: 1 }).expect(200);
    expect(page.body).toMatchObject([{ id: second.id, svc: { direct_conversation_id: own!.id } }]);
    expect(page.headers['link']).toContain(`max_id=${second.id}`);
    expect(await ok<PlainStatusJson[]>(alice.get(`${SVC}/${own!.id}/statuses`, { max_id: second.id }))).toMatchObject([
      { id: first.id },
    ]);
  });

  it('V8 returns 404 to everyone but its owner', async () => {
    await send('alice', 'psst @bob');
    const [{ id }] = (await listOf(alice)) as [ConversationJson];
    const gone = { error: 'Record not found' };
    for (const who of [bob, carol]) {
      await who.get(`${SVC}/${id}`).expect(404, gone);
      await who.get(`${SVC}/${id}/statuses`).expect(404, gone);
      await who.patch(`${SVC}/${id}`, { recipients: [] }).expect(404, gone);
      await who.post(`${LIST}/${id}/read`).expect(404, gone);
      await who.post(`${LIST}/${id}/unread`).expect(404, gone);
      await who.delete(`${LIST}/${id}`).expect(404, gone);
      await who.post(STATUSES, { status: 'x', in_reply_to_conversation_id: id }).expect(404, gone);
    }
    expect(await ok<ConversationJson>(alice.get(`${SVC}/${id}`))).toMatchObject({ id });
  });

  it('accepts a new list of recipients, which always includes the owner', async () => {
    await send('alice', 'psst @bob');
    const [{ id }] = (await listOf(alice)) as [ConversationJson];
    const changed = await ok<ConversationJson>(alice.patch(`${SVC}/${id}`, { recipients: [app.world.id('carol')] }));
    expect(names(changed.svc.recipients)).toEqual(['alice', 'carol']);
    expect(names(changed.accounts)).toEqual(['bob']);
    await alice.patch(`${SVC}/${id}`, {}).expect(400);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('dave')]);
    for (const none of ['nobody', app.world.id('dave')]) {
      await alice.patch(`${SVC}/${id}`, { recipients: [app.world.id('carol'), none] }).expect(400);
    }
    expect(await listOf(alice, { recipients: [app.world.id('carol')] })).toHaveLength(1);
    expect(await listOf(alice, { recipients: [app.world.id('bob')] })).toEqual([]);
    expect(names((await listOf(bob))[0]!.svc.recipients)).toEqual(['alice', 'bob']);
  });

  it('is continued by its id with a direct post to its recipients, for any other values of the request', async () => {
    const first = await send('alice', 'psst @bob');
    const [{ id }] = (await listOf(alice)) as [ConversationJson];
    const second = await post(app, 'alice', 'more, @dave aside', {
      in_reply_to_conversation_id: id,
      visibility: 'public',
      to: ['dave'],
    });
    expect(second).toMatchObject({ visibility: 'direct', svc: { conversation_id: first.svc.conversation_id } });
    expect(second.mentions.map(({ username }) => username)).toEqual(['bob']);
    expect(await listOf(bob)).toMatchObject([{ last_status: { id: second.id } }]);
    expect(await listOf(await app.world.as('dave'))).toEqual([]);
    await alice.patch(`${SVC}/${id}`, { recipients: [app.world.id('carol')] }).expect(200);
    const third = await post(app, 'alice', 'to carol', { in_reply_to_conversation_id: id });
    expect(third.mentions.map(({ username }) => username)).toEqual(['carol']);
    expect(names((await listOf(alice))[0]!.accounts)).toEqual(['bob', 'carol']);
    expect(lastOf(await listOf(bob))).toEqual([second.id]);
  });

  it('V15 is continued without participants who are deactivated, even after they return', async () => {
    await send('alice', 'psst @bob @carol');
    const [{ id }] = (await listOf(alice)) as [ConversationJson];
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('carol')]);
    const next = await post(app, 'alice', 'more', { in_reply_to_conversation_id: id });
    expect(next.mentions.map(({ username }) => username)).toEqual(['bob']);
    await app.sql('update accounts set deactivated_at = null where id = $1', [app.world.id('carol')]);
    await carol.get(`${STATUSES}/${next.id}`).expect(404);
  });

  it('shows the newest of concurrent posts as its last one', async () => {
    const first = await send('alice', 'psst @bob @carol');
    await Promise.all(
      ['alice', 'bob', 'carol'].flatMap((name) =>
        Array.from({ length: 4 }, () => send(name, 'me! @alice @bob @carol', { in_reply_to_id: first.id })),
      ),
    );
    const [newest] = await app.sql<{ id: string }>('select id from statuses order by id desc limit 1');
    for (const client of [alice, bob, carol]) expect(lastOf(await listOf(client))).toEqual([newest!.id]);
  });
});

describe('the timeline of direct posts', () => {
  it('contains only direct posts by and to the viewer', async () => {
    const sent = await send('alice', 'psst @bob, says @alice');
    const got = await send('carol', 'psst @alice');
    await post(app, 'carol', 'hello @alice');
    await makeStatuses(app, 'alice', 1);
    await send('carol', 'psst @bob');
    const page = await ok<PlainStatusJson[]>(alice.get('/api/v1/timelines/direct'));
    expect(page.map(({ id }) => id)).toEqual([got.id, sent.id]);
    expect(await ok<PlainStatusJson[]>(alice.get('/api/v1/timelines/direct', { min_id: sent.id }))).toMatchObject([
      { id: got.id },
    ]);
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('carol'), {});
    expect(await ok<PlainStatusJson[]>(alice.get('/api/v1/timelines/direct'))).toMatchObject([{ id: sent.id }]);
  });
});

it('marks many conversations as read at once, and returns the newest 80', async () => {
  await makeConversations(app, 'alice', 'bob', 90);
  expect(await ok<ConversationJson[]>(bob.post(`${SVC}/read`))).toHaveLength(80);
  expect(await unreadOf(bob)).toBe(0);
});
