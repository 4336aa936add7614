import { once } from 'node:events';
import { WebSocket } from 'ws';
import { UsersService } from '../../src/accounts/index.js';
import { PasswordsService } from '../../src/sign-in/index.js';
import { SettingsService } from '../../src/config/index.js';
import { Draining } from '../../src/platform/index.js';
import { FrameRun, StreamEvent } from '../../src/streaming/connections/frame.js';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { SocketSession } from '../../src/streaming/sockets/socket-session.js';
import { SessionReaper } from '../../src/streaming/connections/session-reaper.js';
import { startListeningApp, type TestApp, useApp } from '../support/servers/app.js';
import { OauthClient, type TokenAnswer } from '../support/fixtures/oauth.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { openEvents } from '../support/servers/event-streams.js';
import { connect, connectAs, type SocketOptions, TestSocket } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';

const app = useApp({ people: ['alice', 'bob'], listening: true });
const opened = useOpened();

const open = (query: Record<string, string> = {}, options: SocketOptions = {}) => opened(connect(app, query, options));
const openAs = (nickname: string, query: Record<string, string> = {}) => opened(connectAs(app, nickname, query));
const reply = (type: string, result: object) => ({ stream: [], event: 'svc:respond', payload: { type, ...result } });
const success = (type: string) => reply(type, { result: 'success' });
const error = (type: string, code: string) => reply(type, { result: 'error', error: code });
const subscribe = (stream: string, argument: object = {}) => ({ type: 'subscribe', stream, ...argument });
const sessionsOf = (server: TestApp) => [...server.get(Sessions)].filter((session) => session instanceof SocketSession);

describe('a socket', () => {
  it('W3 reads at most 50 streams', async () => {
    const socket = await open();
    for (let n = 1; n <= 50; n += 1) await socket.subscribe('hashtag', { tag: `tea${n}` });
    const more = subscribe('hashtag', { tag: 'coffee' });
    expect(await socket.ask(more)).toEqual(error('subscribe', 'too_many_topics'));
    expect(await socket.ask({ ...subscribe('hashtag', { tag: 'tea1' }), type: 'unsubscribe' })).toEqual(
      success('unsubscribe'),
    );
    expect(await socket.ask(more)).toEqual(success('subscribe'));
  });

  it('W3 is closed when it sends too many messages or pings', async () => {
    const talking = await open();
    for (let n = 0; n < 101; n += 1) talking.send('x');
    expect(await talking.closed).toEqual({ code: 1008, reason: 'Too many messages' });
    const pinging = await open();
    for (let n = 0; n < 101; n += 1) {
      pinging.raw.ping();
      await Promise.race([once(pinging.raw, 'pong'), pinging.closed]);
    }
    expect(await pinging.closed).toEqual({ code: 1008, reason: 'Too many messages' });
  });

  it('W2 is closed for messages that are too long, binary, or break the protocol', async () => {
    const cases: [number, (socket: TestSocket) => void][] = [
      [1009, (socket) => socket.raw.send('x'.repeat(65_537))],
      [1003, (socket) => socket.raw.send(Buffer.from('x'), { binary: true })],
      [1007, (socket) => socket.raw.send(Buffer.from([0xff]), { binary: false })],
      [1002, (socket) => socket.raw.send('unmasked', { mask: false })],
      [1008, (socket) => Array.from({ length: 66 }).forEach(() => socket.raw.send('x', { fin: false }))],
    ];
    for (const [code, misbehave] of cases) {
      const socket = await open();
      misbehave(socket);
      expect((await socket.closed).code).toBe(code);
    }
    const polite = await open();
    polite.send(`"${'x'.repeat(65_534)}"`);
    polite.send(JSON.stringify({ ...subscribe('public'), more: Array.from({ length: 200 }) })); // no message has as much
    expect(await polite.ask(subscribe('public'))).toEqual(success('subscribe'));
  });

  it('W5 is pinged every 30 seconds, and ended after 60 silent seconds', async () => {
    const started = Math.ceil(performance.now()); // rounded, so that sums and differences are exact
    const clock = jest.spyOn(performance, 'now').mockReturnValue(started);
    const own = await startListeningApp();
    try {
      const alive = await connect(own);
      const dead = await connect(own, {}, { autoPong: false });
      const raw = sessionsOf(own).map((session) => session.raw);
      const tick = (seconds: number) => {
        clock.mockReturnValue(started + seconds * 1_000);
        own.get(SessionReaper).tick(performance.now());
        return raw.map(({ readyState }) => readyState);
      };
      const frames = [once(alive.raw, 'ping'), once(dead.raw, 'ping'), once(raw[0]!, 'pong')];
      expect(tick(30)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
      await Promise.all(frames);
      expect(tick(59)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
      const again = [once(alive.raw, 'ping'), once(raw[0]!, 'pong')];
      expect(tick(60)).toEqual([WebSocket.OPEN, WebSocket.CLOSING]);
      await Promise.all(again);
      expect((await dead.closed).code).toBe(1006);
      expect(tick(119)[0]).toBe(WebSocket.OPEN);
      expect(await alive.ask(subscribe('public'))).toEqual(success('subscribe'));
    } finally {
      clock.mockRestore();
      await own.close();
    }
  });

  it('W3 is closed when its client does not read', async () => {
    const socket = await open();
    const [session] = sessionsOf(app);
    socket.raw.pause();
    const frame = new StreamEvent('update', 'x'.repeat(262_144)).frame('["user"]');
    for (let n = 0; n < 100; n += 1) session!.send(frame);
    socket.raw.removeAllListeners('message');
    socket.raw.resume();
    expect(await socket.closed).toEqual({ code: 1013, reason: 'Too slow' });
  });

  it('W3 is counted with its unread bytes, and closed first when all leave too much unread', async () => {
    const [slow, hung, polite] = [await open(), await open(), await open()];
    const [first, second, third] = sessionsOf(app);
    const unsent = [first, second, third].map((session) => jest.spyOn(session!, 'unsentBytes', 'get'));
    [70, 60, 1].forEach((megabytes, at) => unsent[at]!.mockReturnValue(megabytes * 1_048_576));
    const { text } = await app.http.get('/metrics').expect(200);
    expect(text).toContain(`svc_http_unsent_bytes ${131 * 1_048_576}\n`);
    app.get(SessionReaper).tick(performance.now());
    unsent.forEach((spy) => spy.mockRestore());
    expect(await slow.closed).toEqual({ code: 1013, reason: 'Too slow' });
    for (const socket of [hung, polite]) expect(await socket.ask(subscribe('public'))).toEqual(success('subscribe'));
  });

  it('gets frames of every length whole, also between those of the library', async () => {
    const socket = await open();
    const [session] = sessionsOf(app);
    const empty = new StreamEvent('update', '').frame('["user"]');
    const shortest = empty.bytes.length - 2;
    const payloads = [0, 125, 126, 65_535, 65_536].map((length) => 'x'.repeat(Math.max(0, length - shortest)));
    const pinged = once(socket.raw, 'ping');
    session!.raw.ping();
    session!.send(new FrameRun(payloads.map((payload) => new StreamEvent('update', payload).frame('["user"]'))));
    for (const payload of payloads) expect(await socket.next()).toEqual({ stream: ['user'], event: 'update', payload });
    await pinged;
    expect(await socket.ask(subscribe('public'))).toEqual(success('subscribe'));
  });

  it('is closed when its message cannot be handled', async () => {
    const socket = await open();
    await app.sql('alter table oauth_tokens rename to oauth_tokens_away');
    try {
      socket.send({ type: 'svc:authenticate', token: 'any' });
      expect(await socket.closed).toEqual({ code: 1013, reason: 'Try again later' });
    } finally {
      await app.sql('alter table oauth_tokens_away rename to oauth_tokens');
    }
  });

  it('is forgotten with its streams when it is closed', async () => {
    const socket = await open({ stream: 'public' });
    const [session] = sessionsOf(app);
    expect([...app.get(Sessions).topics()]).toEqual(['public']);
    const gone = once(session!.raw, 'close');
    await socket.close();
    await gone;
    expect([app.get(Sessions).size, [...app.get(Sessions).topics()]]).toEqual([0, []]);
  });
});

describe('O10 a socket is closed soon after', () => {
  const NOT_VALID = { code: 1008, reason: 'The token is not valid' };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const asOwner = (token: string, path: string) =>
    app.http
      .post(`/api/svc/${path}`)
      .set(bearer(token))
      .send({ password: PASSWORD })
      .expect(200, { status: 'success' });
  const endSignIn = async (token: string) => {
    const [{ id } = { id: 0 }] = (await app.http.get('/api/oauth_tokens').set(bearer(token))).body as { id: number }[];
    await app.http.delete(`/api/oauth_tokens/${id}`).set(bearer(token)).expect(200);
  };

  it.each([
    ['its token is revoked', (token: string) => app.http.post('/oauth/revoke').send({ token }).expect(200)],
    ['its token has expired', () => app.sql(`update oauth_tokens set expires_at = now() - interval '1 second'`)],
    ['its account is deactivated', () => app.get(UsersService).setActive(app.world.id('alice'), false)],
    ['its sign-in is ended', endSignIn],
    [
      'its owner signs out everywhere with a new password',
      () => app.get(PasswordsService).reset(app.world.id('alice'), 'a new password'),
    ],
    ['its owner disables the account', (token: string) => asOwner(token, 'disable_account')],
    ['its owner deletes the account', (token: string) => asOwner(token, 'delete_account')],
    ['its account waits for approval again', () => app.sql('update users set is_approved = false')],
    ['its owner has to choose another password', () => app.sql('update users set password_reset_required = true')],
  ])('%s', async (_, end) => {
    const socket = await openAs('alice', { stream: 'user' });
    const other = await open();
    await app.get(SessionReaper).check();
    await end((await app.world.as('alice')).token);
    const session = sessionsOf(app).find(({ auth }) => auth?.accountId === app.world.id('alice'));
    await app.get(SessionReaper).check();
    expect(session?.raw.readyState).not.toBe(WebSocket.OPEN);
    expect(await socket.closed).toEqual(NOT_VALID);
    expect(await other.ask(subscribe('public'))).toEqual(success('subscribe'));
  });

  it('its token is renewed', async () => {
    const oauth = new OauthClient(app);
    const keys = await oauth.register();
    const { access_token, refresh_token } = await oauth.signIn(keys, 'alice');
    const [socket, stream] = [await open({ access_token }), await opened(openEvents(app, 'user', access_token))];
    await app.get(SessionReaper).check();
    const renewed = (await oauth.refresh(keys, refresh_token).expect(200)).body as TokenAnswer;
    const other = await open({ access_token: renewed.access_token });
    await app.get(SessionReaper).check();
    expect(sessionsOf(app).map(({ raw }) => raw.readyState === WebSocket.OPEN)).toEqual([false, true]);
    expect(await socket.closed).toEqual(NOT_VALID);
    await stream.ended;
    expect(await other.ask(subscribe('user'))).toEqual(success('subscribe'));
  });

  it('its token is deleted, by the timer alone, even when the clock is set back', async () => {
    const [first, second] = [await openAs('alice', { stream: 'user' }), await openAs('bob', { stream: 'user' })];
    const end = (name: string) => app.sql('delete from oauth_tokens where account_id = $1', [app.world.id(name)]);
    await end('alice');
    expect(await first.closed).toEqual(NOT_VALID);
    const anHourAgo = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    try {
      await end('bob');
      expect(await second.closed).toEqual(NOT_VALID);
    } finally {
      anHourAgo.mockRestore();
    }
  });

  it('the server is closed to visitors', async () => {
    const reading = await open({ stream: 'public' });
    const idle = await open();
    const member = await openAs('alice', { stream: 'public' });
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    await app.get(SessionReaper).check();
    expect(await reading.closed).toEqual({ code: 1008, reason: 'Only for users' });
    for (const socket of [idle, member])
      expect(await socket.ask({ type: 'subscribe' })).toEqual(error('subscribe', 'bad_topic'));
  });
});

describe('when the server stops', () => {
  it('clients get close code 1001', async () => {
    const stopping = await startListeningApp();
    const socket = await connect(stopping, { stream: 'public' });
    await stopping.close();
    expect(await socket.closed).toEqual({ code: 1001, reason: 'The server stops' });
  });

  it('clients get close code 1001 while running requests are drained', async () => {
    const stopping = await startListeningApp();
    const draining = stopping.get(Draining);
    draining.attach(stopping.nest.getHttpServer());
    const socket = await connect(stopping, { stream: 'public' });
    await draining.drain(0);
    expect(await socket.closed).toEqual({ code: 1001, reason: 'The server stops' });
    await stopping.close();
  });

  it('it does not wait long for clients that do not respond', async () => {
    const stopping = await startListeningApp();
    const socket = await connect(stopping, { stream: 'public' });
    socket.raw.pause();
    await stopping.close();
    socket.raw.resume();
    expect((await socket.closed).code).toBe(1001);
  });
});
