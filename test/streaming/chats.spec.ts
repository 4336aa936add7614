import { ChatsService } from '../../src/chats/index.js';
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

async function say(content: string): Promise<void> {
  const chat = await app.get(ChatsService).open(id('alice'), id('bob'));
  const client = await app.world.as('alice');
  await ok(client.post(`/api/v1/acme/chats/${chat}/messages`, { content }));
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
});
