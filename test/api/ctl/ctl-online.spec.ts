import type { AddressInfo } from 'node:net';
import { ProbeTickets } from '../../../src/instance/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { runCtl, urlOf } from '../../support/servers/ctl.js';
import { type Behind, type ReverseProxy, startBehind } from '../../support/servers/reverse-proxy.js';

let behind: Behind;
let proxy: ReverseProxy;
let app: TestApp;

beforeAll(async () => {
  behind = await startBehind();
  ({ proxy, app } = behind);
});
afterAll(() => behind.close());

/** The problems that `doctor --online` finds with a proxy, but for those of an address without a name and TLS. */
async function problemsWith(faults: ReverseProxy['faults'], env: Record<string, string> = {}): Promise<string[]> {
  proxy.faults = faults;
  const { baseUrl, dataDir } = app.env;
  const { out } = await runCtl(
    { DATABASE_URL: urlOf(app.address), DATA_DIR: dataDir, BASE_URL: baseUrl, ...env },
    'doctor',
    '--online',
  );
  const lines = out.split('\n').filter((line) => !/^WRONG +(address|DNS|TLS|clock):/.test(line));
  return lines.filter((line) => !line.startsWith('ok')).map((line) => line.replace(/^WRONG +/, ''));
}

describe('doctor --online', () => {
  it('finds nothing wrong with a proxy that passes everything on', async () => {
    expect(await problemsWith({})).toEqual([]);
  });

  it.each<[string, ReverseProxy['faults'], RegExp]>([
    ['drops the upgrade to WebSockets', { dropsUpgrades: true }, /^WebSocket: .*Upgrade/],
    ['limits bodies', { maxBytes: 1_000_000 }, /^largest upload: 16000000 bytes .* answers 413/],
    ['collects answers', { collects: true }, /^event stream: nothing comes through/],
    ['names another host', { headers: { host: 'upstream' } }, /^headers: .*Host: upstream/],
    ['drops signatures', { headers: { signature: undefined } }, /^headers: .*Signature/],
    ['does not say who asks', { headers: { 'x-forwarded-for': undefined } }, /^client addresses: .*no X-Forwarded-For/],
    [
      'believes what clients write',
      { headers: { 'x-forwarded-for': '192.0.2.77' } },
      /^client addresses: .*as the client wrote/,
    ],
  ])('says when a proxy %s', async (_case, faults, problem) => {
    expect(await problemsWith(faults)).toEqual([expect.stringMatching(problem)]);
  });

  it('does not blame a proxy where there is none', async () => {
    const direct = await startApp();
    const { port } = direct.nest.getHttpServer().address() as AddressInfo;
    const env = { DATABASE_URL: urlOf(direct.address), DATA_DIR: direct.env.dataDir };
    try {
      const { out } = await runCtl({ ...env, BASE_URL: `http://127.0.0.1:${port}` }, 'doctor', '--online');
      expect(out).toMatch(/^ok +client addresses/m);
    } finally {
      await direct.close();
    }
  });

  it('says that something else answers at the address', async () => {
    const others = { SECRET_KEY: 'cd'.repeat(32) };
    expect(await problemsWith({}, others)).toContainEqual(expect.stringMatching(/^this server: .* answers 404/));
  });
});

describe('POST /health/probe', () => {
  const asked = (ticket: string) => app.http.post('/health/probe').set('authorization', `Bearer ${ticket}`);

  it('is hidden from those without a ticket of this server that is still good', async () => {
    const tickets = app.get(ProbeTickets);
    const [end = '', signature = ''] = tickets.issue().split('.');
    const later = `${Number(end) + 1}.${signature}`;
    for (const ticket of ['', 'x', later, tickets.issue(Date.now() - 301_000), tickets.issue(Date.now() + 301_000)])
      await asked(ticket).expect(404);
    await asked(tickets.issue()).expect(200);
  });

  it('refuses a body above the limit of uploads', async () => {
    const body = Buffer.alloc(16_000_001);
    await asked(app.get(ProbeTickets).issue()).type('application/octet-stream').send(body).expect(413);
  });
});
