import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../../test/support/servers/web-host.js';
import { eventually } from '../../../test/support/eventually.js';
import { AskedHosts } from './asked-hosts.js';
import { Asker, ASKING, MustWait } from './asker.js';
import { Outbound } from './outbound.js';

const AWAKE = new AbortController().signal;

describe('S13 work that asks other servers', () => {
  let host: WebHost;
  let outbound: Outbound;
  let asker: Asker;
  const ask = (path: string) => asker.ask({ url: `${host.origin}${path}` });

  beforeAll(async () => {
    host = await startWebHost();
    outbound = new Outbound({
      allowedPrivateAddresses: [WEB_HOST_ADDRESS],
      version: '1',
      baseUrl: 'https://social.example',
    });
  });
  beforeEach(() => {
    asker = new Asker(outbound);
    host.page('/page', 'tea');
    host.asked();
  });
  afterAll(async () => {
    await outbound.onApplicationShutdown();
    await host.close();
  });

  it('stays within its limit of requests, redirects included', async () => {
    host.at('/moved', (_, response) => response.writeHead(302, { location: '/page' }).end());
    await asker.within({ ...ASKING, requests: 3 }, async () => {
      await ask('/moved');
      expect(asker.left).toBe(1);
      await ask('/page');
      await expect(ask('/page')).rejects.toMatchObject({ kind: 'budget' });
    });
    expect(host.asked()).toEqual(['/moved', '/page', '/page']);
    expect(asker.left).toBeUndefined();
  });

  it('makes no request after its deadline', async () => {
    await asker.within({ ...ASKING, ms: 0 }, () => expect(ask('/page')).rejects.toMatchObject({ kind: 'timeout' }));
    expect(host.asked()).toEqual([]);
  });

  it('is refused where requests are forbidden, and always limited elsewhere', async () => {
    await expect(asker.without(() => ask('/page'))).rejects.toBeInstanceOf(MustWait);
    expect(host.asked()).toEqual([]);
    await asker.bounded(() => asker.bounded(() => ask('/page')));
    expect(asker.bounded(() => asker.left)).toBe(ASKING.requests);
  });

  it.each([
    ['job', 2],
    ['push', 4],
    ['request', 6],
  ] as const)(
    'limits the number of concurrent requests of a %s to a host, apart from other kinds of work',
    async (by, most) => {
      let open = 0;
      const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
      host.at('/slow', (_, response) => {
        open += 1;
        void answered.then(() => response.end());
      });
      const works = Array.from({ length: most + 1 }, () => asker.within(ASKING, () => ask('/slow'), by));
      await eventually(() => expect(open).toBe(most));
      const other = by === 'job' ? 'request' : 'job';
      expect((await asker.within(ASKING, () => ask('/page'), other)).status).toBe(200);
      expect(open).toBe(most);
      answer(undefined);
      await Promise.all(works);
      expect(open).toBe(most + 1);
    },
  );
});

describe('S13 a host that does not answer', () => {
  afterEach(() => void jest.restoreAllMocks());
  let now = 0;
  const fail = async (hosts: AskedHosts) => (await hosts.enter('far', 'job', AWAKE))(false);

  it.each([
    ['fails', () => false, 0],
    ['is slow', () => true, 6_000],
  ])('is not asked for a growing time when it %s', async (_, answers, takesMs) => {
    const hosts = new AskedHosts(() => now);
    const visit = async () => {
      const leave = await hosts.enter('far', 'job', AWAKE);
      now += takesMs;
      leave(answers());
    };
    for (let n = 0; n < 3; n += 1) await visit();
    await expect(visit()).rejects.toMatchObject({ kind: 'away', isPassing: true });
    expect(await hosts.enter('near', 'job', AWAKE)).toEqual(expect.any(Function));
    now += 30_000;
    await visit();
    now += 30_000;
    await expect(visit()).rejects.toMatchObject({ kind: 'away' });
    now += 30_000;
    await visit();
  });

  it('is asked again after its pause when the clock was set back', async () => {
    const hosts = new AskedHosts();
    for (let n = 0; n < 3; n += 1) await fail(hosts);
    const [wall, steady] = [Date.now(), performance.now()];
    jest.spyOn(Date, 'now').mockReturnValue(wall - 3_600_000);
    jest.spyOn(performance, 'now').mockReturnValue(steady + 31_000);
    expect(await hosts.enter('far', 'job', AWAKE)).toEqual(expect.any(Function));
  });

  it('gets one request at first, and all requests after it has answered', async () => {
    const hosts = new AskedHosts(() => now);
    for (let n = 0; n < 3; n += 1) await fail(hosts);
    now += 30_000;
    const leave = await hosts.enter('far', 'job', AWAKE);
    await expect(hosts.enter('far', 'request', AWAKE)).rejects.toMatchObject({ kind: 'away' });
    leave(true);
    await hosts.enter('far', 'request', AWAKE);
    await hosts.enter('far', 'job', AWAKE);
  });

  it('gets at most 3,600 requests in an hour', async () => {
    const hosts = new AskedHosts(() => now);
    const visit = async () => (await hosts.enter('far', 'job', AWAKE))(true);
    for (let n = 0; n < 3_600; n += 1) await visit();
    await expect(visit()).rejects.toMatchObject({ kind: 'busy' });
    now += 3_600_000;
    await visit();
  });

  it('keeps a request waiting no longer than its own deadline', async () => {
    const hosts = new AskedHosts();
    await hosts.enter('far', 'job', AWAKE);
    const leave = await hosts.enter('far', 'job', AWAKE);
    const control = new AbortController();
    const waiting = hosts.enter('far', 'job', control.signal);
    control.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'busy' });
    leave(true);
    await hosts.enter('far', 'job', AWAKE);
  });
});
