import { ChatsService } from '../../../src/chats/index.js';
import { ok } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';
import { PushService, usePushService } from '../../support/servers/push-service.js';

const service = usePushService();
const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: PushService.HOST } });

describe('a push of a chat message', () => {
  const byBob = async (content: string) => {
    const chat = await app.get(ChatsService).open(app.world.id('bob'), app.world.id('alice'));
    await ok((await app.world.as('bob')).post(`/api/v1/svc/chats/${chat}/messages`, { content }));
  };
  const byZoe = async (content: string) => {
    const { id: senderId } = await app.world.remote('zoe', 'far.test');
    const message = { uri: 'https://far.test/1', senderId, recipientId: app.world.id('alice'), content };
    expect(await app.get(ChatsService).receive({ ...message, emojis: [], attachment: undefined })).toBe(true);
  };

  it.each([
    ['bob', byBob],
    ['zoe@far.test', byZoe],
  ])('shows the text that was written, on one line and cut at its characters: %s', async (acct, say) => {
    const device = service.subscriber('device');
    const { endpoint, keys } = device;
    const alerts = { 'svc:chat_mention': true };
    await ok(
      (await app.world.as('alice')).post('/api/v1/push/subscription', {
        subscription: { endpoint, keys },
        data: { alerts },
      }),
    );
    await say(`a & "b"\n<c> &lt;${'&'.repeat(80)}`);
    await app.drain();
    expect(service.take().map((push) => device.open(push))).toMatchObject([
      { title: 'New Chat Message', body: `@${acct}: a & "b" <c> &lt;${'&'.repeat(63)}…` },
    ]);
  });
});
