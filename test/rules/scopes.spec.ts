import { INPUTS } from '../data/inputs.js';
import { useApp } from '../support/servers/app.js';
import { builtEndpoints, type Endpoint } from '../support/fixtures/endpoints.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { ok, post } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

/** A scope that the route does not require. */
const elsewhere = ({ scopes }: Endpoint) => (scopes.includes('write:scrobbles') ? 'read:mutes' : 'write:scrobbles');

describe('the access matrix', () => {
  const ADMIN_TOKEN = 'a token for programs';
  const app = useApp({ once: ['alice', 'bob'], env: { ADMIN_TOKEN } });
  const endpoints = builtEndpoints();
  const visits = {} as Record<'nobody' | 'alice' | 'root', BrowserVisit>;
  const verdicts = { refused: 0, allowed: 0 };

  beforeAll(async () => {
    await app.world.person('root', { admin: true });
    visits.nobody = new BrowserVisit(app);
    visits.alice = await new BrowserVisit(app).signIn('alice');
    visits.root = await new BrowserVisit(app).signIn('root');
    await app.sql('update accounts set hide_favorites = false'); // they are hidden by default
  });
  afterAll(() => {
    console.log(`access matrix: ${endpoints.length} routes, ${verdicts.refused} refused, ${verdicts.allowed} allowed`);
  });

  const call = (client: Client, { method, path }: Endpoint) => {
    const target = path.replace(':id', app.world.id('bob')).replace(/:\w+/g, 'nothing');
    const request = client[method.toLowerCase() as 'get'](target);
    return path.endsWith('inbox') ? request.set('signature', 'any') : request; // it is open to all who sign
  };
  const refused = async (client: Client, endpoint: Endpoint, status: number) => {
    const answer = await call(client, endpoint);
    expect({ endpoint, status: answer.status }).toEqual({ endpoint, status });
    expect(typeof (answer.body as { error: unknown }).error).toBe('string');
    verdicts.refused += 1;
  };
  const allowed = async (client: Client, endpoint: Endpoint) => {
    const answer = await call(client, endpoint);
    // Users with a token have a confirmed address, and this route is for others: only the reason shows who may call it.
    if (/awaiting confirmation/.test((answer.body as { error?: string }).error ?? '')) return;
    // A page that asks for the password again also returns 401, although the route is allowed.
    const isRefused = [401, 403].includes(answer.status) && answer.type !== 'text/html';
    expect({ endpoint, isRefused }).toEqual({ endpoint, isRefused: false });
    expect(answer.status).toBeLessThan(500);
    verdicts.allowed += 1;
  };

  /** Documents that only other servers get, for a signature: `followers-synchronization.spec.ts` tries them. */
  const FOR_SIGNERS = new Set(['/users/:nickname/followers_synchronization']);

  const every = (kinds: readonly Endpoint['access'][], what: string, check: (endpoint: Endpoint) => Promise<void>) => {
    for (const endpoint of endpoints.filter(({ access, path }) => kinds.includes(access) && !FOR_SIGNERS.has(path))) {
      it(`${endpoint.method} ${endpoint.path} is ${what}`, () => check(endpoint));
    }
  };

  every(['user'], 'for users', async (endpoint) => {
    await refused(app.world.anonymous, endpoint, 401);
    await refused(await app.world.asApp(...endpoint.scopes), endpoint, 401);
    if (endpoint.scopes.length > 0) await refused(await app.world.as('alice', elsewhere(endpoint)), endpoint, 403);
    else await allowed(await app.world.as('alice', 'push'), endpoint); // any scope is sufficient
    for (const scope of endpoint.scopes) await allowed(await app.world.as('alice', scope), endpoint);
  });

  every(['app', 'token'], 'for apps', async (endpoint) => {
    await refused(app.world.anonymous, endpoint, 401);
    if (endpoint.scopes.length > 0) await refused(await app.world.asApp(elsewhere(endpoint)), endpoint, 403);
    if (endpoint.scopes.length > 0) await refused(await app.world.as('alice', ...endpoint.scopes), endpoint, 403);
    else await allowed(await app.world.asApp('read'), endpoint); // the route has its own rule: apps get 401, never 403
    for (const scope of endpoint.scopes) await allowed(await app.world.asApp(scope), endpoint);
  });

  every(['admin'], 'for admins', async (endpoint) => {
    await refused(app.world.anonymous, endpoint, 403);
    await refused(await app.world.as('alice', 'admin', ...endpoint.scopes), endpoint, 403);
    await refused(await app.world.as('root', elsewhere(endpoint)), endpoint, 403);
    for (const scope of endpoint.scopes) await allowed(await app.world.as('root', scope), endpoint);
    // The admin token has no account: a handler that asks for one refuses it, once the input is right.
    const { beside } = INPUTS[`${endpoint.method} ${endpoint.path}`] ?? {};
    const { status } = await call(app.world.anonymous, endpoint).set('x-admin-token', ADMIN_TOKEN).send(beside);
    expect({ endpoint, isRefused: [401, 403].includes(status) || status >= 500 }).toEqual({
      endpoint,
      isRefused: false,
    });
  });

  every(['session'], 'for people signed in to the pages', async (endpoint) => {
    const target = endpoint.path.replace(/:\w+/g, 'nothing');
    const ask = (visit: BrowserVisit, headers?: Record<string, string>) =>
      endpoint.method === 'GET' ? visit.get(target) : visit.post(target, {}, headers);
    const status = async (visit: BrowserVisit, headers?: Record<string, string>) => (await ask(visit, headers)).status;
    expect({ endpoint, status: await status(visits.nobody) }).toEqual({ endpoint, status: 303 });
    if (endpoint.scopes.length > 0)
      expect({ endpoint, status: await status(visits.alice) }).toEqual({ endpoint, status: 403 });
    verdicts.refused += 1;
    if (endpoint.method === 'GET') return;
    for (const headers of [undefined, { origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }, {}])
      expect({ endpoint, headers, status: await status(visits.root, headers) }).toEqual({
        endpoint,
        headers,
        status: 403,
      });
    verdicts.refused += 4;
  });

  every(['public', 'optional'], 'open', async (endpoint) => {
    await allowed(app.world.anonymous, endpoint);
    await allowed(await app.world.as('alice', elsewhere(endpoint)), endpoint);
  });

  it('treats a token without the scope as anonymous where signing in is optional', async () => {
    await app.world.follow('alice', 'bob');
    const { id } = await post(app, 'bob', 'for followers', { visibility: 'private' });
    const answers = async (...scopes: string[]) => {
      const alice = await app.world.as('alice', ...scopes);
      const list = await ok<object[]>(alice.get(`/api/v1/accounts/${app.world.id('bob')}/statuses`));
      return [(await alice.get(`/api/v1/statuses/${id}`)).status, list.length];
    };
    expect(await answers('read:statuses')).toEqual([200, 1]);
    expect(await answers('write:statuses')).toEqual([404, 0]);
  });
});
