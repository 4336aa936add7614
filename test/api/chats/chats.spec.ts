import { UsersService } from '../../../src/accounts/index.js';
import type { ChatJson, ChatMessageJson } from '../../../src/chats/index.js';
import { addEmoji } from '../../support/fixtures/emoji.js';
import { ok } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

const CHATS = '/api/v1/svc/chats';
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
});

const open = (client: Client, name: string) =>
  ok<ChatJson>(client.post(`${CHATS}/by-account-id/${app.world.id(name)}`));
const say = (client: Client, chat: { id: string }, content: string) =>
  ok<ChatMessageJson>(client.post(`${CHATS}/${chat.id}/messages`, { content }));
const messages = (client: Client, chat: { id: string }, query: Record<string, unknown> = {}) =>
  ok<ChatMessageJson[]>(client.get(`${CHATS}/${chat.id}/messages`, query));
const list = (client: Client, query: Record<string, unknown> = {}) => ok<ChatJson[]>(client.get(CHATS, query));

describe('a chat (spec §2.5)', () => {
  it('exists once for each pair, and shows the other account', async () => {
    const chat = await open(alice, 'bob');
    expect(chat).toMatchObject({ account: { acct: 'bob' }, unread: 0, last_message: null });
    expect((await open(alice, 'bob')).id).toBe(chat.id);
    const sent = await say(alice, chat, 'tea?');
    const [other] = await list(bob);
    expect(other).toMatchObject({ account: { acct: 'alice' }, unread: 1, last_message: { id: sent.id, unread: true } });
    expect(other?.id).not.toBe(chat.id);
    expect(await open(bob, 'alice')).toMatchObject({ id: other?.id });
    expect(await ok<ChatJson>(alice.get(`${CHATS}/${chat.id}`))).toMatchObject({ id: chat.id, unread: 0 });
  });

  it('cannot be opened, and gets no message, when the other account is removed at that moment', async () => {
    for (const isOpen of [false, true]) {
      const { id: zoe } = await app.world.remote('zoe', 'b.example');
      const opening = `by-account-id/${zoe}`;
      const path = isOpen ? `${(await ok<ChatJson>(alice.post(`${CHATS}/${opening}`))).id}/messages` : opening;
      await holding(app, async (holder) => {
        await holder.query('delete from accounts where id = $1', [zoe]);
        const asked = alice.post(`${CHATS}/${path}`, { content: 'tea?' }).then(({ status }) => status);
        await waitersOf(holder, 1);
        await holder.query('commit');
        expect([path, await asked]).toEqual([path, 404]);
      });
    }
  });

  it('exists once, with every message once, even when both sides begin at the same time', async () => {
    const clients = Array.from({ length: 20 }, (_, at) => (at % 2 ? alice : bob));
    const sent = await Promise.all(
      clients.map(async (client, at) => say(client, await open(client, client === alice ? 'bob' : 'alice'), `${at}`)),
    );
    for (const client of [alice, bob]) {
      const chats = await list(client);
      expect(chats).toHaveLength(1);
      const seen = await messages(client, chats[0]!, { limit: 40 });
      expect(seen.map(({ id }) => id)).toEqual(
        sent
          .map(({ id }) => id)
          .sort()
          .reverse(),
      );
      expect(chats[0]).toMatchObject({ unread: 10, last_message: { id: seen[0]?.id } });
    }
  });

  it('cannot be opened with an unknown, a deactivated or the own account', async () => {
    await alice.post(`${CHATS}/by-account-id/${UNKNOWN}`).expect(404, { error: 'Record not found' });
    await alice.post(`${CHATS}/by-account-id/${app.world.id('alice')}`).expect(400);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('carol')]);
    await alice.post(`${CHATS}/by-account-id/${app.world.id('carol')}`).expect(404);
  });

  it('appears in no timeline and no conversation', async () => {
    await say(alice, await open(alice, 'bob'), 'psst @bob #tea');
    for (const path of ['/api/v1/timelines/home', '/api/v1/timelines/public', '/api/v1/timelines/tag/tea'])
      expect(await ok<unknown[]>(bob.get(path))).toEqual([]);
    expect(await ok<unknown[]>(bob.get('/api/v1/conversations'))).toEqual([]);
  });
});

describe('a chat with an account that is deactivated', () => {
  const activate = (active: boolean) => app.get(UsersService).setActive(app.world.id('bob'), active);
  const unread = () => app.sql('select chat_id, message_id from chat_entries where unread order by message_id');

  it('is hidden on every route, which change nothing, until the account is active again', async () => {
    const [{ id }, his] = [await open(alice, 'bob'), await open(bob, 'alice')];
    const [first, last] = [await say(bob, his, 'tea?'), await say(bob, his, 'milk?')];
    const [before, chats] = [await unread(), await list(alice)];
    await activate(false);
    const path = `${CHATS}/${id}`;
    await alice.get(path).expect(404);
    await alice.get(`${path}/messages`).expect(404);
    await alice.post(`${path}/read`, { last_read_id: last.id }).expect(404);
    await alice.post(`${path}/messages`, { content: 'gone?' }).expect(404);
    await alice.post(`${path}/messages/${first.id}/read`).expect(404);
    await alice.delete(`${path}/messages/${first.id}`).expect(404);
    expect([await list(alice), await unread()]).toEqual([[], before]);
    await activate(true);
    expect(await list(alice)).toEqual(chats);
    expect(await messages(alice, { id })).toMatchObject([{ id: last.id }, { id: first.id }]);
  });
});

describe('the list of chats', () => {
  it('shows the newest message first, with pages below /api/v2', async () => {
    const [first, second] = [await open(alice, 'bob'), await open(alice, 'carol')];
    await say(alice, first, 'one');
    expect((await list(alice)).map(({ id }) => id)).toEqual([first.id, second.id]);
    const page = await alice.get('/api/v2/svc/chats', { limit: 1 }).expect(200);
    expect((page.body as ChatJson[]).map(({ id }) => id)).toEqual([first.id]);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] as string)?.[1] ?? '';
    const { pathname, search } = new URL(next);
    expect((await ok<ChatJson[]>(alice.get(pathname + search))).map(({ id }) => id)).toEqual([second.id]);
  });

  it('leaves out muted accounts unless they are requested, and always blocked ones', async () => {
    const chat = await open(alice, 'bob');
    await ok(alice.post(`/api/v1/accounts/${app.world.id('bob')}/mute`));
    expect(await list(alice)).toEqual([]);
    expect(await list(alice, { with_muted: true })).toMatchObject([{ id: chat.id }]);
    await ok(alice.post(`/api/v1/accounts/${app.world.id('bob')}/unmute`));
    await ok(alice.post(`/api/v1/accounts/${app.world.id('bob')}/block`));
    expect(await list(alice, { with_muted: true })).toEqual([]);
  });
});

describe('a message', () => {
  it('is plain text with lines and custom emoji', async () => {
    await addEmoji(app, 'tea');
    const text = '<b>hi</b> :tea:\n@bob https://a.example #tag';
    const { id, ...sent } = await say(alice, await open(alice, 'bob'), ` ${text} `);
    expect(sent).toMatchObject({
      account_id: app.world.id('alice'),
      content: '&lt;b&gt;hi&lt;/b&gt; :tea:<br>@bob https://a.example #tag',
      emojis: [{ shortcode: 'tea' }],
      attachment: null,
      unread: false,
    });
    expect((await list(bob))[0]?.last_message).toMatchObject({ id, content: sent.content, unread: true });
  });

  it('may be a file, but only of the sender', async () => {
    const chat = await open(alice, 'bob');
    const { id: mediaId } = await upload(app, 'alice');
    const send = () => alice.post(`${CHATS}/${chat.id}/messages`, { media_id: mediaId });
    const sent = await ok<ChatMessageJson>(send());
    expect(sent).toMatchObject({ content: null, attachment: { id: mediaId, type: 'image' } });
    expect((await list(bob))[0]?.last_message).toMatchObject({ attachment: { id: mediaId } });
    await send().expect(422);
    const { id: others } = await upload(app, 'bob');
    await alice.post(`${CHATS}/${chat.id}/messages`, { media_id: others }).expect(422);
    expect(await messages(alice, chat)).toHaveLength(1);
  });

  it.each([
    ['empty', ' \n', 400],
    ['too long', 'x'.repeat(5_001), 400],
  ])('cannot be %s', async (_, content, status) => {
    const chat = await open(alice, 'bob');
    await alice.post(`${CHATS}/${chat.id}/messages`, { content }).expect(status);
    expect(await messages(alice, chat)).toEqual([]);
  });

  it('with the key of an earlier message returns that message, and only its sender sees the key', async () => {
    const chat = await open(alice, 'bob');
    const send = () =>
      alice.post(`${CHATS}/${chat.id}/messages`, { content: 'tea' }).set('idempotency-key', 'k1').expect(200);
    const [first, second] = await Promise.all([send(), send()]);
    expect((first.body as ChatMessageJson).id).toBe((second.body as ChatMessageJson).id);
    expect(first.body).toMatchObject({ idempotency_key: 'k1' });
    expect((await list(bob))[0]?.last_message).not.toHaveProperty('idempotency_key');
    await app.sql(`update chat_messages set created_at = now() - interval '11 minutes'`);
    expect((await messages(alice, chat))[0]).not.toHaveProperty('idempotency_key');
  });

  it.each([
    ['who blocks the sender', async () => ok(bob.post(`/api/v1/accounts/${app.world.id('alice')}/block`))],
    ['whom the sender blocks', async () => ok(alice.post(`/api/v1/accounts/${app.world.id('bob')}/block`))],
    [
      'who accepts none',
      async () => ok(bob.patch('/api/v1/accounts/update_credentials', { accepts_chat_messages: false })),
    ],
  ])('is refused for a recipient %s', async (_, refuse) => {
    const chat = await open(alice, 'bob');
    await refuse();
    await alice.post(`${CHATS}/${chat.id}/messages`, { content: 'tea' }).expect(403);
    expect(await list(bob, { with_muted: true })).toEqual([]);
  });

  it('can be marked as read alone, or with all earlier messages (spec §3.5)', async () => {
    const chat = await open(alice, 'bob');
    const [one, two, three] = [await say(alice, chat, '1'), await say(alice, chat, '2'), await say(alice, chat, '3')];
    const [{ id } = chat] = await list(bob);
    const read = await ok<ChatMessageJson>(bob.post(`${CHATS}/${id}/messages/${three.id}/read`));
    expect(read).toMatchObject({ id: three.id, unread: false });
    const after = await ok<ChatJson>(bob.post(`${CHATS}/${id}/read`, { last_read_id: one.id }));
    expect(after).toMatchObject({ id, unread: 1 });
    expect(after).not.toHaveProperty('last_message');
    expect((await messages(bob, { id })).map((each) => each.unread)).toEqual([false, true, false]);
    await bob.post(`${CHATS}/${id}/read`).expect(400);
    expect(two.unread).toBe(false);
  });

  it('is paged by ids', async () => {
    const chat = await open(alice, 'bob');
    const sent: string[] = [];
    for (const text of ['1', '2', '3', '4']) sent.unshift((await say(alice, chat, text)).id);
    const ids = async (query: Record<string, unknown>) => (await messages(alice, chat, query)).map(({ id }) => id);
    expect(await ids({ limit: 2 })).toEqual(sent.slice(0, 2));
    expect(await ids({ limit: 2, max_id: sent[1] })).toEqual(sent.slice(2));
    expect(await ids({ min_id: sent[3], limit: 1 })).toEqual([sent[2]]);
    expect(await ids({ since_id: sent[2] })).toEqual(sent.slice(0, 2));
  });

  it('is deleted for both by its sender, and by the recipient only for the recipient', async () => {
    const chat = await open(alice, 'bob');
    const { id: mediaId } = await upload(app, 'alice');
    const path = `${CHATS}/${chat.id}/messages`;
    const sent = await ok<ChatMessageJson>(alice.post(path, { content: 'a', media_id: mediaId }));
    const kept = await say(alice, chat, 'b');
    const [{ id } = chat] = await list(bob);
    expect(await ok<ChatMessageJson>(alice.delete(`${path}/${sent.id}`))).toMatchObject({ id: sent.id, content: 'a' });
    expect(await messages(bob, { id })).toMatchObject([{ id: kept.id }]);
    await alice.get(`/api/v1/media/${mediaId}`).expect(404);
    await ok(bob.delete(`${CHATS}/${id}/messages/${kept.id}`));
    expect(await messages(bob, { id })).toEqual([]);
    expect(await messages(alice, chat)).toMatchObject([{ id: kept.id }]);
    await bob.delete(`${CHATS}/${id}/messages/${kept.id}`).expect(404);
  });
});

describe('a notification of a message', () => {
  const notifications = (query: Record<string, unknown> = {}) => ok<object[]>(bob.get('/api/v1/notifications', query));

  it('appears only on request, and disappears with the message', async () => {
    const chat = await open(alice, 'bob');
    const sent = await say(alice, chat, 'tea?');
    await app.drain();
    expect(await notifications()).toEqual([]);
    const asked = { include_types: ['svc:chat_mention'] };
    expect(await notifications(asked)).toMatchObject([
      {
        type: 'svc:chat_mention',
        account: { acct: 'alice' },
        chat_message: { id: sent.id, content: 'tea?', unread: true },
        svc: { is_seen: false },
      },
    ]);
    await ok(alice.delete(`${CHATS}/${chat.id}/messages/${sent.id}`));
    expect(await notifications(asked)).toEqual([]);
  });

  it('is neither listed nor counted once the recipient deletes the message', async () => {
    const chat = await open(alice, 'bob');
    const [left, gone] = [await say(alice, chat, 'tea?'), await say(alice, chat, 'milk?')];
    await app.drain();
    const types = ['svc:chat_mention'];
    const counts = async () => [
      await ok(bob.get('/api/v1/notifications/unread_count', { types })),
      await ok(bob.get('/api/v2/notifications/unread_count', { types })),
    ];
    expect(await counts()).toEqual([{ count: 2 }, { count: 2 }]);
    const { id } = await open(bob, 'alice');
    await ok(bob.delete(`${CHATS}/${id}/messages/${gone.id}`));
    expect(await counts()).toEqual([{ count: 1 }, { count: 1 }]);
    expect(await notifications({ types, limit: 1 })).toMatchObject([{ chat_message: { id: left.id } }]);
  });

  it('is already seen for a recipient who muted the sender', async () => {
    await ok(bob.post(`/api/v1/accounts/${app.world.id('alice')}/mute`));
    await say(alice, await open(alice, 'bob'), 'tea?');
    await app.drain();
    const asked = { include_types: ['svc:chat_mention'], with_muted: true };
    expect(await notifications(asked)).toMatchObject([{ svc: { is_seen: true } }]);
  });
});
