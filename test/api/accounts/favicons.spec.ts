import type { RequestListener } from 'node:http';
import type { AccountJson } from '../../../src/accounts/index.js';
import { FaviconsService } from '../../../src/accounts/remote-instances/favicons.service.js';
import { useApp } from '../../support/servers/app.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
/** The name of the remote account. Each test uses a new one, because bodies are cached by id. */
let zoe = 'zoe0';

beforeEach(async () => {
  web = await startWebHost();
  zoe = `zoe${Number(zoe.slice(3)) + 1}`;
  await livesAt((await app.world.remote(zoe, 'b.example')).id, web.origin);
});
afterEach(() => web.close());

/** Sets the actor host of an account, which may differ from the host in its handle. */
const livesAt = (id: string, origin: string) =>
  app.sql('update accounts set ap_id = $2 where id = $1', [id, `${origin}/users/${id}`]);
const image: RequestListener = (_request, response) => response.setHeader('content-type', 'image/png').end('PNG');
const refresh = () => app.get(FaviconsService).refresh();
const due = () => app.sql('update remote_instances set due_at = now()');

async function daysUntilDue(): Promise<number> {
  const [row] = await app.sql<{ days: number }>(
    'select round(extract(epoch from due_at - now()) / 86400)::int as days from remote_instances',
  );
  return row!.days;
}

async function favicon(name = `${zoe}@b.example`): Promise<string | null> {
  return ((await app.http.get(`/api/v1/accounts/${name}`).expect(200)).body as AccountJson).svc.favicon;
}

describe('the favicon of an account', () => {
  it('comes from this server for local accounts, and from the remote server for remote ones', async () => {
    await app.world.person('alice');
    web.page('/', '<link rel="shortcut icon" href="/icon.png"><link rel="apple-touch-icon" href="/touch.png">');
    web.at('/icon.png', image);
    expect(await favicon('alice')).toBe('https://svc.test/favicon.png');
    expect(await favicon()).toBeNull();
    await refresh();
    expect(await favicon()).toBe(`${web.origin}/icon.png`);
    expect(await favicon('alice')).toBe('https://svc.test/favicon.png');
    expect((await app.http.get('/favicon.png').expect(200)).headers['content-type']).toBe('image/png');
  });

  it('is the first icon that is a picture, otherwise the file at the usual path', async () => {
    web.page(
      '/',
      '<link rel="icon" href="/gone"><link rel="icon" href="/page"><link rel="icon" href="data:image/png,x">',
    );
    web.page('/page', 'no picture');
    web.at('/favicon.ico', image);
    await refresh();
    expect(await favicon()).toBe(`${web.origin}/favicon.ico`);
    expect(web.asked()).toEqual(['/', '/gone', '/page', '/favicon.ico']);
  });

  it('is found without a front page, and may be missing', async () => {
    await refresh();
    expect(await favicon()).toBeNull();
    web.at('/favicon.ico', image);
    await due();
    await refresh();
    expect(await favicon()).toBe(`${web.origin}/favicon.ico`);
    web.at('/favicon.ico');
    await due();
    await refresh();
    expect(await favicon()).toBeNull();
  });

  it('S1 is never fetched from an address that is not public', async () => {
    const { port } = new URL(web.origin);
    web.page('/', `<link rel="icon" href="http://127.0.0.2:${port}/x"><link rel="icon" href="http://10.0.0.1/x">`);
    await refresh();
    expect(await favicon()).toBeNull();
  });
});

describe('a remote server', () => {
  it('is asked once for all its accounts, and again after a week', async () => {
    const { id } = await app.world.remote('yan', 'b.example');
    await livesAt(id, web.origin);
    await refresh();
    expect(web.asked()).toEqual(['/', '/favicon.ico']);
    await refresh();
    expect(web.asked()).toEqual([]);
    expect(await daysUntilDue()).toBe(7);
  });

  it('keeps its icon while it does not answer, and is asked less and less often', async () => {
    web.at('/favicon.ico', image);
    await refresh();
    web.at('/', (request) => request.socket.destroy());
    const days = async (silent: number): Promise<number> => {
      await app.sql(`update remote_instances set due_at = now(), answered_at = now() - $1 * interval '1 day'`, [
        silent,
      ]);
      await refresh();
      return daysUntilDue();
    };
    expect([await days(0), await days(5), await days(400)]).toEqual([1, 5, 30]);
    expect(await favicon()).toBe(`${web.origin}/favicon.ico`);
  });

  it('is removed with its last account', async () => {
    await app.world.remote('other', 'c.example');
    const domains = () => app.sql('select domain from remote_instances order by domain');
    await app.sql(`update accounts set ap_id = $1 where domain = 'c.example'`, [`${web.origin}/users/other`]);
    await refresh();
    expect(await domains()).toEqual([{ domain: 'b.example' }, { domain: 'c.example' }]);
    await app.sql(`delete from accounts where domain = 'c.example'`);
    await refresh();
    expect(await domains()).toEqual([{ domain: 'b.example' }]);
  });

  it('is not asked when it has no accounts', async () => {
    await app.sql('delete from accounts');
    await refresh();
    expect(web.asked()).toEqual([]);
  });
});
