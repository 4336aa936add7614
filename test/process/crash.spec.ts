import { fileURLToPath } from 'node:url';
import { postmasterOf, type Program, Scratch, until } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const PASSWORD = 'before the crash 1';
const WRITERS = 4;
const ENOUGH = 40;

const scratch = new Scratch();
afterAll(() => scratch.remove());

const READY = / is ready at (http:\S+)/;

interface Running {
  readonly program: Program;
  readonly url: string;
}

async function start(dataDir: string): Promise<Running> {
  const program = scratch.run(process.execPath, [MAIN], {
    env: { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: 'off', SVC_ADMIN_PASSWORD: PASSWORD },
  });
  return { program, url: await program.url() };
}

async function call(url: string, values: Record<string, string>, token = ''): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(values),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return (await answer.json()) as Record<string, string>;
}

async function logIn(url: string): Promise<string> {
  const app = await call(`${url}/api/v1/apps`, {
    client_name: 'crash',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write admin:write',
  });
  const login = { grant_type: 'password', username: 'admin', password: PASSWORD, scope: 'read write admin:write' };
  const token = await call(`${url}/oauth/token`, {
    ...login,
    client_id: app['client_id']!,
    client_secret: app['client_secret']!,
  });
  return token['access_token']!;
}

/** Posts as fast as possible until the server is gone; collects the acknowledged ids. */
async function postUntilGone(url: string, token: string, acknowledged: string[]): Promise<void> {
  try {
    for (;;) {
      const { id } = await call(`${url}/api/v1/statuses`, { status: `number ${acknowledged.length}` }, token);
      acknowledged.push(id!);
    }
  } catch {
    // the last post may or may not be stored
  }
}

/** The acknowledged ids that the server lost. */
async function missing(url: string, token: string, ids: readonly string[]): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const checks = ids.map(async (id) => ({
    id,
    status: (await fetch(`${url}/api/v1/statuses/${id}`, { headers })).status,
  }));
  return (await Promise.all(checks)).filter(({ status }) => status !== 200).map(({ id }) => id);
}

async function homeIds(url: string, token: string): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let max = ''; ;) {
    const answer = await fetch(`${url}/api/v1/timelines/home?limit=40${max && `&max_id=${max}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await answer.json()) as { id: string }[];
    for (const { id } of page) seen.add(id);
    const last = page.at(-1);
    if (!last) return seen;
    max = last.id;
  }
}

describe('J1 P2 every acknowledged post is there after kill -9', () => {
  const dataDir = scratch.dataDir();

  it.each([
    ['the database', (_server: number, database: number) => [database]],
    ['both', (server: number, database: number) => [database, server]],
  ])('of %s', async (_what, victims) => {
    const { program, url } = await start(dataDir);
    const token = await logIn(url);
    const database = postmasterOf(dataDir)!;
    const acknowledged: string[] = [];
    const writers = Array.from({ length: WRITERS }, () => postUntilGone(url, token, acknowledged));
    await until('enough posts', () => acknowledged.length >= ENOUGH || undefined);
    const killed = victims(program.pid, database);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await Promise.all(writers);

    const isGone = killed.includes(program.pid);
    if (isGone) await program.ended;
    const survivor = isGone ? await start(dataDir) : { program, url };
    await until('the server to be ready', async () => {
      const ready = await fetch(`${survivor.url}/health/ready`).catch(() => undefined);
      return ready?.status === 200 || undefined;
    });
    expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
    expect(await missing(survivor.url, token, acknowledged)).toEqual([]);
    const home = await homeIds(survivor.url, token);
    expect(acknowledged.filter((id) => !home.has(id))).toEqual([]);
    expect(await survivor.program.stop()).toBe(0);
  });
});

it('P1 a restart by an administrator keeps every acknowledged post and the same process', async () => {
  const { program, url } = await start(scratch.dataDir());
  const token = await logIn(url);
  const acknowledged: string[] = [];
  const writers = Array.from({ length: WRITERS }, () => postUntilGone(url, token, acknowledged));
  await until('enough posts', () => acknowledged.length >= ENOUGH || undefined);
  const answer = await fetch(`${url}/api/v1/svc/admin/restart`, { headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
  await Promise.all(writers);

  const again = await until('the second start', () => {
    const [, second] = program.lines.filter((line) => READY.test(line));
    return second && READY.exec(second)?.[1];
  });
  expect(await missing(again, token, acknowledged)).toEqual([]);
  expect(await program.stop()).toBe(0);
});
