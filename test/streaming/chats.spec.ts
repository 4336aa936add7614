import { BlocksService } from '../../src/accounts/index.js';
import { type ChatJson, ChatsService } from '../../src/chats/index.js';
import { Bus } from '../../src/platform/index.js';
import { STREAM_CHANNEL, type StreamMessage } from '../../src/streaming/delivery/stream.messages.js';
import { ok } from '../support/fixtures/statuses.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], env: { COMPAT_BRAND: 'acme' }, listening: true });
let bob: TestSocket;
let chats: TestSocket;
let alice: TestSocket;

beforeEach(async () => {
  bob = await connectAs(app, 'bob', { stream: 'user' });
  chats = await connectAs(app, 'bob', { stream: 'user:acme_chat' });
  alice = await connectAs(app, 'alice', { stream: 'user' });
});
afterEach(() => Promise.all([bob.close(), chats.close(), alice.close()]));

const id = (name: string) => app.world.id(name);

async function say(content: string, sender = 'alice', recipient = 'bob'): Promise<string> {
  const chat = await app.get(ChatsService).open(id(sender), id(recipient));
  const client = await app.world.as(sender);
  return (await ok<{ id: string }>(client.post(`/api/v1/acme/chats/${chat}/messages`, { content }))).id;
}

describe('svc:chat_update (spec §6.1)', () => {
  it('requires the scope for chats', async () => {
    const { token } = await app.world.as('bob', 'read:statuses');
    const reader = await connect(app, { stream: 'user', access_token: token });
    await say('psst');
    await sendMarker(app, ['bob']);
    expect(await reader.until(isMarker)).toEqual([]);
    await reader.close();
  });

  it('sends both parties their chat with the new message, also on the stream of chats', async () => {
    await say('tea?');
    const update = (stream: string, name: string, unread: number) => ({
      event: 'acme:chat_update',
      stream: [stream],
      payload: expect.objectContaining({
        account: expect.objectContaining({ acct: name }) as object,
        unread,
        last_message: expect.objectContaining({ content: 'tea?', unread: unread > 0 }) as object,
      }) as object,
    });
    await sendMarker(app, ['alice', 'bob']);
    const arrived = async (socket: TestSocket) =>
      (await socket.until(isMarker)).map(({ event, stream, payload = 'null' }) => ({
        event,
        stream,
        payload: JSON.parse(payload) as unknown,
      }));
    expect(await arrived(bob)).toEqual([update('user', 'alice', 1)]);
    expect(await arrived(alice)).toEqual([update('user', 'bob', 0)]);
    expect(await chats.next()).toMatchObject({ event: 'acme:chat_update', stream: ['user:acme_chat'] });
  });

  it('carries each of the messages that are rendered after all of them were written, in either direction', async () => {
    const ids = [await say('tea?'), await say('milk?'), await say('both!', 'bob', 'alice'), await say('fine')];
    await sendMarker(app, ['alice', 'bob']);
    for (const socket of [alice, bob]) await socket.until(isMarker);
    for (const messageId of ids) {
      const message: StreamMessage = { kind: 'chat', messageId, ownerIds: [id('alice'), id('bob')] };
      app.get(Bus).publish(STREAM_CHANNEL, message);
    }
    await sendMarker(app, ['alice', 'bob']);
    for (const socket of [alice, bob]) {
      const chatsOf = (await socket.until(isMarker)).map(({ payload = '' }) => JSON.parse(payload) as ChatJson);
      expect(chatsOf.map((chat) => chat.last_message?.id)).toEqual(ids);
    }
  });

  it('sends nothing to an owner who mutes the sender, and the own message to an owner who mutes the recipient', async () => {
    await app.get(BlocksService).mute(id('bob'), id('alice'), { notifications: false });
    await app.get(BlocksService).mute(id('alice'), id('bob'), { notifications: false });
    await say('psst');
    await sendMarker(app, ['alice', 'bob']);
    expect(await bob.until(isMarker)).toEqual([]);
    expect(await alice.until(isMarker)).toMatchObject([{ event: 'acme:chat_update' }]);
  });

  it('sends messages of a blocked server only to followers of the sender', async () => {
    const { id: senderId } = await app.world.remote('eve', 'far.test');
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [id('bob')]);
    const receive = async (uri: string) => {
      const message = { uri, senderId, recipientId: id('bob'), content: 'psst', emojis: [], attachment: undefined };
      expect(await app.get(ChatsService).receive(message)).toBe(true);
      await sendMarker(app, ['bob']);
      return (await bob.until(isMarker)).map(({ event }) => event);
    };
    expect(await receive('https://far.test/1')).toEqual([]);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [id('bob'), senderId]);
    expect(await receive('https://far.test/2')).toEqual(['acme:chat_update']);
  });
});
