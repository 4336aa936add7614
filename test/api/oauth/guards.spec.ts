import { Get, Post } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { UsersService } from '../../../src/accounts/index.js';
import { AppModule } from '../../../src/app.module.js';
import { AdminApi, AdminOnly, configureHttp, Input, RequiredText } from '../../../src/common/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { HttpAdapter, HttpServer, Limiter, readEnv } from '../../../src/platform/index.js';
import { StreamingAdapter } from '../../../src/streaming/index.js';
import { makeDatabase } from '../../support/servers/database.js';
import { type Client, World } from '../../support/fixtures/world.js';

class ThingBody {
  @RequiredText({ max: 10 }) name: string;
}

/** Routes for administrators that only report that they were called. */
@AdminApi('things')
class ThingsController {
  @Get() @AdminOnly('admin:read') list() {
    return { listed: true };
  }
  @Post() @AdminOnly('admin:write') create(@Input(ThingBody) input: ThingBody) {
    return { made: input.name };
  }
}

const PATHS = ['/api/v1/svc/admin/things', '/api/svc/admin/things'];
const LIMIT = 15;

/** The whole server with the controller above. */
class GuardedServer {
  private constructor(
    readonly nest: NestExpressApplication,
    readonly http: ReturnType<typeof supertest>,
    readonly world: World,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(environment: Record<string, string>): Promise<GuardedServer> {
    const database = await makeDatabase();
    const common = { BASE_URL: 'https://svc.test', SECRET_KEY: 'ab'.repeat(32), LOG_LEVEL: 'silent', ...environment };
    const env = readEnv(common);
    const imports = [AppModule.register(env, database.address)];
    const module = await Test.createTestingModule({ imports, controllers: [ThingsController] }).compile();
    const server = new HttpServer(env);
    const nest = module.createNestApplication<NestExpressApplication>(new HttpAdapter(server), { bodyParser: false });
    configureHttp(nest, env);
    server.serve(nest.getHttpAdapter().getInstance());
    nest.useWebSocketAdapter(new StreamingAdapter(nest));
    await nest.init();
    const http = supertest(nest.getHttpServer());
    const world = new World(nest, http);
    await world.persons('alice', 'mona');
    await world.person('root', { admin: true });
    await nest.get(UsersService, { strict: false }).setRole(world.id('mona'), { isModerator: true });
    return new GuardedServer(nest, http, world, () => database.drop());
  }

  async close(): Promise<void> {
    await this.nest.close();
    await this.drop();
  }
}

/** Delays answers until this many requests wait. */
class Asked {
  private count = 0;
  private readonly waiting: { readonly count: number; readonly go: () => void }[] = [];

  constructor(private readonly all: number) {}

  /** Releases all answers, now and later. */
  end(): void {
    this.count = Infinity;
    for (const { go } of this.waiting) go();
  }

  async hold<T>(answer: Promise<T>): Promise<T> {
    const known = await answer;
    this.count += 1;
    for (const { count, go } of this.waiting) if (count <= this.count) go();
    await this.times(this.all);
    return known;
  }

  times(count: number): Promise<void> {
    if (this.count >= count) return Promise.resolve();
    return new Promise((go) => this.waiting.push({ count, go }));
  }
}

describe('the admin API', () => {
  const ADMIN_TOKEN = 'only the operator knows';
  let server: GuardedServer;

  beforeAll(async () => {
    server = await GuardedServer.start({ ADMIN_TOKEN, RATE_LIMITS: 'off' });
  });
  afterAll(() => server.close());

  const admin = () => server.world.as('root', 'admin');

  it('is open to administrators with the scope', async () => {
    for (const path of PATHS) {
      await (await admin()).get(path).expect(200, { listed: true });
      await (await admin()).post(path, { name: 'x' }).expect(200, { made: 'x' });
      await (await server.world.as('root', 'admin:read')).get(path).expect(200);
    }
  });

  it('A1 is closed to all others under both prefixes, before the body is read', async () => {
    const { world } = server;
    const callers: [string, Client, string][] = [
      ['anonymous', world.anonymous, 'Invalid credentials.'],
      ['a user', await world.as('alice', 'read', 'write', 'admin'), 'User is not an admin.'],
      ['a moderator', await world.as('mona', 'read', 'write', 'admin'), 'User is not an admin.'],
      ['an app', await world.asApp('read', 'admin'), 'User is not an admin.'],
    ];
    for (const path of PATHS) {
      for (const [, caller, error] of callers) {
        await caller.get(path).expect(403, { error });
        await caller.post(path).set('Content-Type', 'application/json').send('{"name":').expect(403, { error });
      }
      const alice = await world.as('alice', 'admin');
      await alice.get(path).set('x-admin-token', 'wrong').expect(403, { error: 'User is not an admin.' });
      await server.http.get(path).set('authorization', 'Bearer unknown').expect(403, { error: 'Invalid credentials.' });
    }
    await (await admin()).post(PATHS[0]!).set('Content-Type', 'application/json').send('{"name":').expect(400);
  });

  it('requires the scope of an administrator token, unless the operator disables that', async () => {
    const settings = server.nest.get(SettingsService, { strict: false });
    const client = await server.world.as('root', 'read', 'write');
    const scoped = await server.world.as('root', 'admin:read');
    await client.get(PATHS[0]!).expect(403, { error: 'Insufficient permissions: admin:read.' });
    await scoped.post(PATHS[0]!, { name: 'x' }).expect(403, { error: 'Insufficient permissions: admin:write.' });
    await settings.update([{ path: 'auth.enforce_oauth_admin_scope_usage', value: false }]);
    await client.get(PATHS[0]!).expect(200);
    await (await server.world.as('alice')).get(PATHS[0]!).expect(403);
    await settings.reset('auth.enforce_oauth_admin_scope_usage');
    await client.get(PATHS[0]!).expect(403);
  });

  it('A2 is open to requests with the admin token, in a header, the query or the body', async () => {
    for (const path of PATHS) {
      await server.http.get(path).set('x-admin-token', ADMIN_TOKEN).expect(200);
      await server.http.get(path).query({ admin_token: ADMIN_TOKEN }).expect(200);
      await server.http.post(path).set('x-admin-token', ADMIN_TOKEN).send({ name: 'x' }).expect(200);
      for (const wrong of ['', 'wrong', `${ADMIN_TOKEN}x`, ADMIN_TOKEN.slice(1)]) {
        await server.http.get(path).set('x-admin-token', wrong).expect(403, { error: 'Invalid credentials.' });
        await server.http.get(path).query({ admin_token: wrong }).expect(403, { error: 'Invalid credentials.' });
      }
      const body = (admin_token: unknown) => server.http.post(path).send({ admin_token, name: 'x' });
      await body(ADMIN_TOKEN).expect(200, { made: 'x' });
      for (const wrong of ['', 'wrong', [ADMIN_TOKEN]])
        await body(wrong).expect(403, { error: 'Invalid credentials.' });
      await server.http.get(path).query(`admin_token[]=${ADMIN_TOKEN}`).expect(403);
    }
  });

  it('A2 gives requests with the admin token no account', async () => {
    const own = '/api/v1/accounts/verify_credentials';
    await server.http.get(own).set('x-admin-token', ADMIN_TOKEN).expect(401);
  });
});

describe('wrong credentials of an address', () => {
  let server: GuardedServer;

  beforeAll(async () => {
    server = await GuardedServer.start({
      RATE_LIMITS: 'auth-only',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      ADMIN_TOKEN: 'right',
    });
  });
  afterAll(() => server.close());

  const operator = (token: string, address: string) =>
    server.http.get(PATHS[0]!).set('x-admin-token', token).set('x-forwarded-for', address);
  const user = (token: string, address: string) =>
    server.http
      .get('/api/v1/accounts/verify_credentials')
      .set('authorization', `Bearer ${token}`)
      .set('x-forwarded-for', address);

  it('A2 block guesses of the admin token from there, and nothing else', async () => {
    for (let i = 0; i < LIMIT; i += 1) await operator(`guess ${i}`, '198.51.100.1').expect(403);
    await server.http
      .post(PATHS[0]!)
      .set('x-forwarded-for', '198.51.100.1')
      .send({ admin_token: 'right', name: 'x' })
      .expect(429);
    for (const token of ['one more', 'right']) {
      const { headers } = await operator(token, '198.51.100.1').expect(429, { error: 'Throttled' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    await operator('right', '198.51.100.2').expect(200);
    const { token } = await server.world.as('alice');
    await user(token, '198.51.100.1').expect(200);
  });

  it('A2 block many parallel guesses as well', async () => {
    const limiter = server.nest.get(Limiter, { strict: false });
    const asked = new Asked(LIMIT + 1);
    const spies = [jest.spyOn(limiter, 'peek'), jest.spyOn(limiter, 'consume')];
    const real = { peek: Limiter.prototype.peek.bind(limiter), consume: Limiter.prototype.consume.bind(limiter) };
    spies[0]!.mockImplementation((...of) => asked.hold(real.peek(...of)));
    spies[1]!.mockImplementation((...of) => asked.hold(real.consume(...of)));
    try {
      const wrong = Array.from({ length: LIMIT }, (_, i) => operator(`guess ${i}`, '198.51.100.5').then());
      await asked.times(LIMIT); // no guess has received its answer yet
      await operator('right', '198.51.100.5').expect(429);
      expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(wrong.map(() => 403));
    } finally {
      asked.end();
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('O14 get 429, while signed-in users at that address continue', async () => {
    const { token } = await server.world.as('alice');
    for (let i = 0; i < LIMIT; i += 1) await user(`unknown ${i}`.replace(' ', ''), '198.51.100.3').expect(401);
    const { headers } = await user('unknown', '198.51.100.3').expect(429, { error: 'Throttled' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await user(token, '198.51.100.3').expect(200);
    await user('unknown', '198.51.100.4').expect(401);
  });
});

describe('a server without an admin token', () => {
  let server: GuardedServer;

  beforeAll(async () => {
    server = await GuardedServer.start({ RATE_LIMITS: 'off' });
  });
  afterAll(() => server.close());

  it('A2 refuses every admin token, even the empty one', async () => {
    for (const token of ['', 'undefined', 'null']) {
      await server.http.get(PATHS[0]!).set('x-admin-token', token).expect(403);
      await server.http.get(PATHS[0]!).query({ admin_token: token }).expect(403);
    }
  });
});
