import { type Channel, Socket } from 'phoenix';
import { type SettingPath, SettingsService } from '../../src/config/index.js';
import { eventually } from '../support/eventually.js';
import { OauthClient, type TokenAnswer } from '../support/fixtures/oauth.js';
import { ok } from '../support/fixtures/statuses.js';
import { useApp } from '../support/servers/app.js';
import { connect, refused } from '../support/servers/sockets.js';

const PATH = '/socket/websocket';

interface Shout {
  readonly id: number;
  readonly text: string;
  readonly author: { readonly acct: string };
}

/** A user in the shoutbox, with the client that web frontends use. */
interface Guest {
  readonly received: Shout[];
  readonly socket: Socket;
  readonly channel: Channel;
}

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
const guests: Guest[] = [];

beforeEach(async () => {
  await set('shout.enabled', true);
});
afterEach(() => guests.splice(0).forEach(({ socket }) => socket.disconnect()));

async function set(path: SettingPath, value: unknown): Promise<void> {
  await app.get(SettingsService).update([{ path, value }]);
}

async function chatToken(nickname: string, ...scopes: string[]): Promise<string> {
  return chatTokenOf((await app.world.as(nickname, ...scopes)).token);
}

async function chatTokenOf(accessToken: string): Promise<string> {
  const request = app.http.get('/api/v1/accounts/verify_credentials').set('authorization', `Bearer ${accessToken}`);
  const { body } = await request.expect(200);
  return (body as { svc: { chat_token: string } }).svc.chat_token;
}

/** The status with which the shoutbox refuses a socket. */
const refusal = async (query: Record<string, string>) => (await refused(app, query, { path: PATH })).status;

/** The reply to a push of the client. */
function replyTo(push: ReturnType<Channel['push']>): Promise<unknown> {
  return new Promise((resolve) => push.receive('ok', resolve).receive('error', resolve));
}

async function join(nickname: string, ...scopes: string[]): Promise<Guest> {
  const token = await chatToken(nickname, ...scopes);
  const socket = new Socket(`${app.env.baseUrl.replace(/^http/, 'ws')}/socket`, {
    params: { token },
    transport: WebSocket,
  });
  socket.connect();
  const channel = socket.channel('chat:public');
  const received: Shout[] = [];
  channel.on('messages', ({ messages }: { messages: Shout[] }) => void received.push(...messages));
  channel.on('new_msg', (shout: Shout) => void received.push(shout));
  const guest = { received, socket, channel };
  guests.push(guest);
  expect(await replyTo(channel.join())).toEqual({});
  return guest;
}

const say = ({ channel }: Guest, text: unknown) => replyTo(channel.push('new_msg', { text: text as string }));
const words = ({ received }: Guest) => received.map(({ text, author }) => `${author.acct}: ${text}`);

describe('the shoutbox (spec §6.1)', () => {
  it('sends every message to all users in it, and the last 20 to users who join later', async () => {
    const [alice, bob] = [await join('alice'), await join('bob')];
    await say(alice, ' <b>tea</b>? ');
    await say(bob, 'yes');
    for (const guest of [alice, bob]) {
      await eventually(() => expect(words(guest)).toEqual(['alice: <b>tea</b>?', 'bob: yes']));
    }
    for (let count = 1; count <= 19; count += 1) await say(alice, String(count));
    const carol = await join('carol');
    await eventually(() => expect(words(carol)).toHaveLength(20));
    expect(words(carol).slice(0, 2)).toEqual(['bob: yes', 'alice: 1']);
    expect(new Set(carol.received.map(({ id }) => id)).size).toBe(20);
  });

  it('hides messages of an account from users that it blocks or that mute it', async () => {
    const [alice, bob, carol] = [await join('alice'), await join('bob'), await join('carol')];
    await ok((await app.world.as('alice')).post(`/api/v1/accounts/${app.world.id('bob')}/block`));
    await say(bob, 'to carol');
    await say(carol, 'to both');
    for (const guest of [alice, bob, carol]) await eventually(() => expect(words(guest)).toContain('carol: to both'));
    expect([words(alice), words(bob), words(carol)].map((lines) => lines.includes('bob: to carol'))).toEqual([
      false,
      true,
      true,
    ]);
    expect(words(await join('alice'))).not.toContain('bob: to carol');
  });

  it('refuses messages with a text that KeywordPolicy forbids', async () => {
    await set('mrf.policies', ['KeywordPolicy']);
    await set('mrf_keyword.reject', ['coffee']);
    const alice = await join('alice');
    expect(await say(alice, 'more coffee')).toEqual({ reason: '[KeywordPolicy] it contains a forbidden text' });
    expect(await say(alice, 'more tea')).toEqual({});
    for (const path of ['mrf.policies', 'mrf_keyword.reject']) await app.get(SettingsService).reset(path);
  });

  it('takes the longest messages that the setting allows, of characters of four bytes', async () => {
    await set('instance.shout_limit', 10_000);
    const alice = await join('alice');
    expect(await say(alice, '🍵'.repeat(10_000))).toEqual({});
    await app.get(SettingsService).reset('instance.shout_limit');
  });

  it('refuses empty and long messages, other channels, and tokens without the scope to write', async () => {
    await set('instance.shout_limit', 5);
    const alice = await join('alice');
    for (const text of ['', '  \u200b ', '123456', 7, null]) {
      expect(await say(alice, text)).toEqual({ reason: 'A message has 1 to 5 characters' });
    }
    expect(await replyTo(alice.socket.channel('chat:other').join())).toEqual({ reason: 'unmatched topic' });
    const reader = await join('bob', 'read');
    expect(await say(reader, 'hi')).toEqual({ reason: 'The token may not write here' });
    expect([...words(alice), ...words(reader)]).toEqual([]);
  });

  it('refuses visitors, unknown and revoked tokens, and all users while it is off', async () => {
    const token = await chatToken('alice');
    expect(await refusal({})).toBe(403);
    expect(await refusal({ token: 'made-up' })).toBe(403);
    expect(await refusal({ token: await chatToken('bob', 'read:accounts') })).toBe(403);
    const guest = await connect(app, { token }, { path: PATH });
    await guest.close();
    await set('shout.enabled', false);
    expect(await refusal({ token })).toBe(403);
    await set('shout.enabled', true);
    await app.sql('delete from oauth_tokens');
    expect(await refusal({ token })).toBe(403);
  });

  it('O10 refuses what was given with an access token that was renewed since', async () => {
    const oauth = new OauthClient(app);
    const keys = await oauth.register();
    const { access_token, refresh_token } = await oauth.signIn(keys, 'alice');
    const before = await chatTokenOf(access_token);
    const renewed = (await oauth.refresh(keys, refresh_token).expect(200)).body as TokenAnswer;
    expect(await refusal({ token: before })).toBe(403);
    const guest = await connect(app, { token: await chatTokenOf(renewed.access_token) }, { path: PATH });
    await guest.close();
  });

  it('is listed in the features of the instance', async () => {
    const features = async () => {
      const { body } = await app.http.get('/api/v1/instance').expect(200);
      return (body as { svc: { metadata: { features: string[] } } }).svc.metadata.features;
    };
    expect(await features()).toEqual(expect.arrayContaining(['chat', 'shout']));
    await set('shout.enabled', false);
    expect(await features()).not.toContain('shout');
  });
});
