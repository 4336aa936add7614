import { fileURLToPath } from 'node:url';
import { startApp, type TestApp } from '../support/servers/app.js';
import { urlOf } from '../support/servers/ctl.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/servers/free-port.js';
import { describeWithRedis, RedisServer } from '../support/servers/redis.js';
import { BegunRequest } from './begun-request.js';
import { LoadBalancer } from './load-balancer.js';
import { type Program, Scratch } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const TIMEOUT_MS = 120_000;

interface Server {
  readonly role: 'web' | 'worker';
  readonly port: number;
  program: Program;
}

describeWithRedis('two web processes and a worker', () => {
  const scratch = new Scratch();
  let app: TestApp;
  let environment: Record<string, string>;
  let webs: [Server, Server];
  let worker: Server;
  let balancer: LoadBalancer;
  let alice: string;
  let bob: string;

  beforeAll(async () => {
    const redis = await RedisServer.start(scratch);
    app = await startApp({ REDIS_URL: redis.url });
    environment = {
      BASE_URL: app.env.baseUrl,
      DATA_DIR: app.env.dataDir,
      SECRET_KEY: 'ab'.repeat(32),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      DATABASE_URL: urlOf(app.address),
      REDIS_URL: redis.url,
    };
    await app.world.persons('alice', 'bob');
    await app.world.follow('bob', 'alice');
    alice = (await app.world.as('alice')).token;
    bob = (await app.world.as('bob')).token;
    const [one, other, third] = await Promise.all([start('web'), start('web'), start('worker')]);
    webs = [one, other];
    worker = third;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([...webs, worker].map(({ program }) => program.stop('SIGKILL')));
    await app.close();
    await scratch.remove();
  });
  beforeEach(() => {
    balancer = new LoadBalancer(webs.map(({ port }) => port));
  });
  afterEach(() => balancer.close());

  async function start(role: Server['role'], at?: number): Promise<Server> {
    const port = at ?? (await freePort());
    const env = { ...environment, ROLE: role, PORT: String(port) };
    const program = scratch.run(process.execPath, [MAIN], { env });
    await program.line(/ is ready at /);
    return { role, port, program };
  }

  const post = async (status: string, via: LoadBalancer = balancer): Promise<string> => {
    const { status: code, body } = await via.send('POST', '/api/v1/statuses', alice, { status });
    expect(code).toBe(200);
    return (body as { id: string }).id;
  };

  /** All ids in the home timeline of bob. */
  async function home(via: LoadBalancer = balancer): Promise<Set<string>> {
    const seen = new Set<string>();
    for (let path = '/api/v1/timelines/home?limit=40'; ;) {
      const { body } = await via.send('GET', path, bob);
      const ids = (body as { id: string }[]).map(({ id }) => id);
      for (const id of ids) seen.add(id);
      const last = ids.at(-1);
      if (last === undefined) return seen;
      path = `/api/v1/timelines/home?limit=40&max_id=${last}`;
    }
  }

  it('show posts of one process in the home timeline of the other after the worker has run', async () => {
    const [one, other] = webs.map(({ port }) => new LoadBalancer([port]));
    const id = await post('through one', one);
    await eventually(async () => expect(await home(other)).toContain(id));
    one?.close();
    other?.close();
  });

  it('P1 finish their requests after the signal to stop, and report that they are not ready', async () => {
    const [{ port, program }] = webs;
    const begun = await BegunRequest.post(port, '/api/v1/statuses', alice, { status: 'begun before the signal' });
    program.child.kill('SIGTERM');
    await program.line(/^Stopping$/);

    const probe = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect([probe.status, probe.headers.get('connection'), await probe.json()]).toEqual([
      503,
      'close',
      { status: 'stopping' },
    ]);
    const late = await fetch(`http://127.0.0.1:${port}/api/v1/timelines/public`);
    expect([late.status, late.headers.get('connection'), await late.json()]).toEqual([200, 'close', expect.any(Array)]);

    const answer = await begun.finish();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(await program.ended).toBe(0);
    ({ program: webs[0].program } = await start('web', port));
  });
});
