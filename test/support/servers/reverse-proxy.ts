import { createServer, type IncomingMessage, request, type RequestOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startApp, type TestApp } from './app.js';

/** Where the proxy seems to be. */
const PROXY = '127.0.0.2';
const MAX_BYTES = 20_000_000;

/** A reverse proxy on this machine. What is wrong with it is changed by tests. */
export class ReverseProxy {
  faults: {
    headers?: Record<string, string | undefined>;
    dropsUpgrades?: boolean;
    maxBytes?: number;
    collects?: boolean;
    /** Where paths lead instead. */
    redirects?: Record<string, string>;
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
    const location = this.faults.redirects?.[incoming.url ?? ''];
    if (location !== undefined) return void response.writeHead(302, { location }).end();
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

/** A test server behind a reverse proxy, whose address is the base URL. */
export interface Behind {
  readonly proxy: ReverseProxy;
  readonly app: TestApp;
  close(): Promise<void>;
}

export async function startBehind(env: Readonly<Record<string, string>> = {}): Promise<Behind> {
  const proxy = new ReverseProxy();
  await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
  const app = await startApp({ BASE_URL: `http://127.0.0.1:${proxy.port}`, TRUSTED_PROXIES: PROXY, ...env });
  proxy.upstream = (app.nest.getHttpServer().address() as AddressInfo).port;
  const close = async () => {
    await app.close();
    proxy.server.closeAllConnections();
    proxy.server.close();
  };
  return { proxy, app, close };
}
