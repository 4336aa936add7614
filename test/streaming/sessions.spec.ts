import { once } from 'node:events';
import { request } from 'node:http';
import { UsersService } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { startListeningApp, useApp } from '../support/servers/app.js';
import { connect, connectAs, refused, type SocketOptions } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';

const PATH = '/api/v1/streaming';
const UNAUTHORIZED = { error: 'Invalid credentials.' };
const NOT_FOUND = { error: 'Not found' };

const app = useApp({ people: ['alice', 'bob'], listening: true });
const opened = useOpened();

const open = (query: Record<string, string> = {}, options: SocketOptions = {}) => opened(connect(app, query, options));
const openAs = (nickname: string, query: Record<string, string> = {}) => opened(connectAs(app, nickname, query));
const reply = (type: string, result: object) => ({ stream: [], event: 'svc:respond', payload: { type, ...result } });
const success = (type: string) => reply(type, { result: 'success' });
const ignored = (type: string) => reply(type, { result: 'ignored' });
const error = (type: string, code: string) => reply(type, { result: 'error', error: code });
const subscribe = (stream: string, argument: object = {}) => ({ type: 'subscribe', stream, ...argument });

describe('connecting', () => {
  it('accepts the token in the query, a header or the subprotocol, which it echoes', async () => {
    const { token } = await app.world.as('alice');
    const ways: [Record<string, string>, SocketOptions][] = [
      [{ access_token: token }, {}],
      [{}, { protocols: [token] }],
      [{}, { headers: { authorization: `Bearer ${token}` } }],
    ];
    for (const [query, options] of ways) {
      const socket = await open(query, options);
      expect(socket.raw.protocol).toBe(options.protocols?.[0] ?? '');
      expect(await socket.ask(subscribe('user'))).toEqual(success('subscribe'));
    }
  });

  it('works with a slash at the end, from any origin, and without compression', async () => {
    const socket = await open({ stream: 'public' }, { path: `${PATH}/`, origin: 'https://elsewhere.example' });
    expect(socket.raw.extensions).toBe('');
    expect(await socket.ask(subscribe('public'))).toEqual(ignored('subscribe'));
  });

  it('counts as activity of the user', async () => {
    await app.sql(`update users set last_active_at = now() - interval '1 day'`);
    await openAs('alice');
    const active = await app.sql(`select account_id from users where last_active_at > now() - interval '1 hour'`);
    expect(active).toEqual([{ account_id: app.world.id('alice') }]);
  });

  it('subscribes to no stream when none is named', async () => {
    const socket = await openAs('alice');
    for (const stream of ['user', 'public']) {
      expect(await socket.ask(subscribe(stream))).toEqual(success('subscribe'));
    }
  });

  it.each([
    'public',
    'public:media',
    'public:local',
    'public:local:media',
    'user',
    'user:notifications',
    'user:notification',
    'direct',
  ])('subscribes to %s', async (stream) => {
    const socket = await openAs('alice', { stream });
    expect(await socket.ask(subscribe(stream))).toEqual(ignored('subscribe'));
  });

  it.each([
    ['hashtag', { tag: 'Tea' }, { tag: 'tea' }],
    ['public:remote', { instance: 'Other.Example' }, { instance: 'other.example' }],
    ['public:remote:media', { instance: 'bücher.example' }, { instance: 'xn--bcher-kva.example' }],
  ])('subscribes to %s by its argument, in any spelling', async (stream, argument, sameArgument) => {
    const socket = await open({ stream, ...argument });
    expect(await socket.ask(subscribe(stream, sameArgument))).toEqual(ignored('subscribe'));
    expect(await socket.ask(subscribe(stream, { tag: 'coffee', instance: 'third.example' }))).toEqual(
      success('subscribe'),
    );
  });

  it('is refused before the handshake with the status and body of the API', async () => {
    const { token } = await app.world.as('alice');
    const { token: narrow } = await app.world.as('alice', 'read:accounts', 'write');
    const { token: ofApp } = await app.world.asApp();
    const cases: [Record<string, string>, number, object][] = [
      [{ access_token: 'nonsense' }, 401, UNAUTHORIZED],
      [{ access_token: 'nonsense', stream: 'public' }, 401, UNAUTHORIZED],
      ...['user', 'user:notifications', 'user:notification', 'direct'].map(
        (stream): [Record<string, string>, number, object] => [{ stream }, 401, UNAUTHORIZED],
      ),
      [{ access_token: ofApp, stream: 'user' }, 401, { error: 'This API requires an authenticated user' }],
      [{ access_token: narrow, stream: 'user' }, 403, { error: 'Insufficient permissions: read:statuses.' }],
      [{ access_token: narrow, stream: 'direct' }, 403, { error: 'Insufficient permissions: read:statuses.' }],
      [
        { access_token: narrow, stream: 'user:notifications' },
        403,
        { error: 'Insufficient permissions: read:notifications.' },
      ],
      [{ access_token: token, stream: 'nonsense' }, 404, NOT_FOUND],
      [{ access_token: token, stream: 'constructor' }, 404, NOT_FOUND],
      [{ access_token: token, stream: 'list', list: '1' }, 404, NOT_FOUND],
      [{ stream: 'hashtag' }, 404, NOT_FOUND],
      [{ stream: 'hashtag', tag: '' }, 404, NOT_FOUND],
      [{ stream: 'hashtag', tag: 'x'.repeat(129) }, 404, NOT_FOUND],
      [{ stream: 'public:remote', instance: 'no host' }, 404, NOT_FOUND],
      [{ 'stream[]': 'public' }, 404, NOT_FOUND],
      [{ 'access_token[]': token }, 401, UNAUTHORIZED],
    ];
    for (const [query, status, body] of cases) {
      expect({ query, ...(await refused(app, query)) }).toMatchObject({ query, status, body });
    }
    const { headers } = await refused(app, { access_token: 'nonsense' });
    expect(headers).toMatchObject({ 'www-authenticate': 'Bearer', 'content-type': 'application/json; charset=utf-8' });
    expect((await refused(app, {}, { path: `${PATH}?tag=%ff&x=` })).status).toBe(400);
    expect([...app.get(Sessions)]).toEqual([]);
  });

  it.each([
    ['revoked', () => app.sql('delete from oauth_tokens')],
    ['expired', () => app.sql(`update oauth_tokens set expires_at = now() - interval '1 second'`)],
    ['of a deactivated account', () => app.get(UsersService).setActive(app.world.id('alice'), false)],
  ])('is refused with a token that is %s', async (_, spoil) => {
    const { token } = await app.world.as('alice');
    await spoil();
    expect(await refused(app, { access_token: token })).toMatchObject({ status: 401, body: UNAUTHORIZED });
  });

  it('requires a user while the server is not public', async () => {
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    expect(await refused(app, { stream: 'public' })).toMatchObject({
      status: 401,
      body: { error: 'This resource requires authentication.' },
    });
    const socket = await open();
    expect(await socket.ask(subscribe('public'))).toEqual(error('subscribe', 'unauthorized'));
    const { token } = await app.world.as('alice');
    expect(await socket.ask({ type: 'svc:authenticate', token })).toEqual(success('svc:authenticate'));
    expect(await socket.ask(subscribe('public'))).toEqual(success('subscribe'));
  });
});

describe('plain requests', () => {
  it('get 426 at the address of the streams, and OK at its health check', async () => {
    for (const path of [PATH, `${PATH}/`]) {
      const answer = await app.http.get(path).expect(426);
      expect(answer.body).toEqual({ error: 'Connect to this address with a WebSocket' });
      expect(answer.headers).toMatchObject({ upgrade: 'websocket', connection: 'Upgrade' });
    }
    const health = await app.http.get(`${PATH}/health`).expect(200);
    expect([health.text, health.type]).toEqual(['OK', 'text/plain']);
  });

  const upgrading = async (path: string, upgrade: string) => {
    const call = request(`${app.env.baseUrl}${path}`, { headers: { connection: 'upgrade', upgrade } });
    call.end();
    const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    response.resume();
    return response.statusCode;
  };

  it('are served as usual when they ask to upgrade to another protocol or at another path', async () => {
    expect(await upgrading('/api/v1/instance', 'h2c')).toBe(200);
    expect(await upgrading('/api/v1/instance', 'websocket')).toBe(200);
    expect(await upgrading(PATH, 'h2c')).toBe(426);
    expect(await upgrading(`${PATH}/nobody`, 'websocket')).toBe(404);
  });

  it('get 400 for a malformed handshake', async () => {
    expect(await upgrading(PATH, 'websocket')).toBe(400);
  });
});

describe('messages of a client', () => {
  it('subscribe and unsubscribe once', async () => {
    const socket = await openAs('alice');
    for (const stream of [subscribe('user'), subscribe('hashtag', { tag: 'tea' })]) {
      const unsubscribe = { ...stream, type: 'unsubscribe' };
      expect(await socket.ask(unsubscribe)).toEqual(ignored('unsubscribe'));
      expect(await socket.ask(stream)).toEqual(success('subscribe'));
      expect(await socket.ask(stream)).toEqual(ignored('subscribe'));
      expect(await socket.ask(unsubscribe)).toEqual(success('unsubscribe'));
      expect(await socket.ask(unsubscribe)).toEqual(ignored('unsubscribe'));
    }
    expect([...app.get(Sessions).topics()]).toEqual([]);
  });

  it('get replies of exactly this form', async () => {
    const socket = await open();
    const text = once(socket.raw, 'message').then(([data]) => String(data));
    socket.send(subscribe('nonsense'));
    expect(await text).toBe(
      String.raw`{"stream":[],"event":"svc:respond","payload":"{\"type\":\"subscribe\",\"result\":\"error\",\"error\":\"bad_topic\"}"}`,
    );
  });

  it('fail for streams that do not exist, lack their argument, or need a user or a scope', async () => {
    const anonymous = await open();
    const narrow = await open({ access_token: (await app.world.as('alice', 'read:notifications')).token });
    for (const event of [
      { type: 'subscribe' },
      subscribe('nonsense'),
      subscribe('hashtag'),
      subscribe('hashtag', { tag: 7 }),
    ]) {
      expect(await narrow.ask(event)).toEqual(error('subscribe', 'bad_topic'));
    }
    expect(await narrow.ask(subscribe('list', { list: '1' }))).toEqual(error('subscribe', 'unauthorized'));
    for (const stream of ['user', 'direct']) {
      expect(await anonymous.ask(subscribe(stream))).toEqual(error('subscribe', 'unauthorized'));
      expect(await narrow.ask(subscribe(stream))).toEqual(error('subscribe', 'unauthorized'));
    }
    expect(await anonymous.ask(subscribe('user:notifications'))).toEqual(error('subscribe', 'unauthorized'));
    expect(await narrow.ask(subscribe('user:notifications'))).toEqual(success('subscribe'));
    expect(await narrow.ask(subscribe('user:notification'))).toEqual(ignored('subscribe'));
  });

  it('authenticate a socket once; its user never changes', async () => {
    const socket = await open();
    const alice = await app.world.as('alice');
    const bob = await app.world.as('bob');
    const authenticate = (token?: unknown) => ({ type: 'svc:authenticate', token });
    for (const token of ['nonsense', '', 7, undefined]) {
      expect(await socket.ask(authenticate(token))).toEqual(error('svc:authenticate', 'unauthorized'));
    }
    expect(await socket.ask(subscribe('user'))).toEqual(error('subscribe', 'unauthorized'));
    expect(await socket.ask(authenticate(alice.token))).toEqual(success('svc:authenticate'));
    expect(await socket.ask(authenticate(alice.token))).toEqual(success('svc:authenticate'));
    for (const { token } of [bob, await app.world.as('alice', 'read:statuses')])
      expect(await socket.ask(authenticate(token))).toEqual(error('svc:authenticate', 'already_authenticated'));
    expect(await socket.ask(subscribe('user'))).toEqual(success('subscribe'));
  });

  it('are handled in their order', async () => {
    const socket = await open();
    const { token } = await app.world.as('alice');
    socket.send({ type: 'svc:authenticate', token });
    socket.send(subscribe('user'));
    expect(await socket.next()).toMatchObject({ payload: '{"type":"svc:authenticate","result":"success"}' });
    expect(await socket.next()).toMatchObject({ payload: '{"type":"subscribe","result":"success"}' });
  });

  it('get no reply when they cannot be read or have an unknown type', async () => {
    const socket = await open();
    for (const text of [
      '',
      '{',
      '[]',
      '7',
      'null',
      '"subscribe"',
      '{"type":7}',
      '{"type":"ping"}',
      '{"stream":"public"}',
    ]) {
      socket.send(text);
    }
    expect(await socket.ask(subscribe('public'))).toEqual(success('subscribe'));
  });
});

describe('under another brand', () => {
  it('messages are accepted under both names, and replies have the name of the brand', async () => {
    const acme = await startListeningApp({ COMPAT_BRAND: 'acme' });
    try {
      await acme.world.person('alice');
      const { token } = await acme.world.as('alice');
      for (const type of ['acme:authenticate', 'svc:authenticate']) {
        const socket = await connect(acme);
        expect(await socket.ask({ type, token })).toEqual({
          stream: [],
          event: 'acme:respond',
          payload: { type, result: 'success' },
        });
        await socket.close();
      }
    } finally {
      await acme.close();
    }
  });
});
