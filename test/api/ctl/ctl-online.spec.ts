import { createServer, type IncomingMessage, request, type RequestOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ProbeTickets } from '../../../src/instance/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { runCtl, urlOf } from '../../support/servers/ctl.js';

/** Where the proxy seems to be. */
const PROXY = '127.0.0.2';
const MAX_BYTES = 20_000_000;

/** A reverse proxy on this machine. What is wrong with it is changed by tests. */
class Proxy {
  faults: {
    headers?: Record<string, string | undefined>;
    dropsUpgrades?: boolean;
    maxBytes?: number;
    collects?: boolean;
  } = {};
  upstream = 0;
  readonly server = createServer((incoming, response) => void this.pass(incoming, response)).on(
    'upgrade',
    (incoming: IncomingMessage, socket: Socket) => this.upgrade(incoming, socket),
  );

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private options(incoming: IncomingMessage): RequestOptions {
    const sender = incoming.socket.remoteAddress ?? '';
    const before = incoming.headers['x-forwarded-for'];
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': before === undefined ? sender : `${String(before)}, ${sender}`,
      ...this.faults.headers,
    };
    return {
      port: this.upstream,
      localAddress: PROXY,
      method: incoming.method,
      path: incoming.url,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      agent: false,
    };
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    if (body.length > (this.faults.maxBytes ?? MAX_BYTES)) return void response.writeHead(413).end('too large');
    const sent = request(this.options(incoming), (answer) => {
      if (this.faults.collects && String(answer.headers['content-type']).startsWith('text/event-stream')) {
        answer.destroy();
        response.destroy(); // as after the time limit of a proxy that waits for the end
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      response.on('close', () => answer.destroy());
    });
    sent.on('error', () => response.destroy());
    sent.end(body);
  }

  private upgrade(incoming: IncomingMessage, socket: Socket): void {
    const options = this.options(incoming);
    if (this.faults.dropsUpgrades) {
      const headers = { ...(options.headers as Record<string, string>), connection: 'close' };
      Reflect.deleteProperty(headers, 'upgrade');
      const sent = request({ ...options, headers }, ({ statusCode = 502 }) => {
        socket.end(`HTTP/1.1 ${statusCode} Refused\r\ncontent-length: 0\r\n\r\n`);
      });
      sent.end();
      return;
    }
    const sent = request(options);
    sent.on('upgrade', (answer, upstream) => {
      const head = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head.join('')}\r\n`);
      upstream.pipe(socket).pipe(upstream);
      for (const end of [upstream, socket]) end.on('error', () => undefined);
    });
    sent.end();
  }
}

const proxy = new Proxy();
let app: TestApp;

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
  app = await startApp({ BASE_URL: `http://127.0.0.1:${proxy.port}`, TRUSTED_PROXIES: PROXY });
  proxy.upstream = (app.nest.getHttpServer().address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  proxy.server.closeAllConnections();
  proxy.server.close();
});

/** The problems that `doctor --online` finds with a proxy, but for those of an address without a name and TLS. */
async function problemsWith(faults: Proxy['faults'], env: Record<string, string> = {}): Promise<string[]> {
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

  it.each<[string, Proxy['faults'], RegExp]>([
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
