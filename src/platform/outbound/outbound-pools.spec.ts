import { createServer, type RequestListener, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { Logger } from '@nestjs/common';
import { Pool } from 'undici';
import { eventually } from '../../../test/support/eventually.js';
import { Outbound } from './outbound.js';
import { OutboundPools } from './outbound-pools.js';

/** Servers that end a request without and with an answer. */
const SERVERS: Readonly<Record<string, RequestListener>> = {
  'does not answer': () => undefined,
  'stops in the middle of its answer': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('x');
  },
  'hangs up': (request) => request.socket.destroy(),
  answers: (_request, response) => response.setHeader('connection', 'close').end('x'),
};

describe('the connections to other servers', () => {
  let servers: Server[];
  let pools: OutboundPools;

  beforeEach(() => {
    servers = [];
    pools = new OutboundPools((origin) => new Pool(origin), 1);
  });
  afterEach(async () => {
    await pools.destroy();
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function serverThat(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const ask = async (origin: string, signal?: AbortSignal) => {
    const { body } = await pools.request(origin, { path: '/', method: 'GET', signal: signal ?? null });
    return body.text();
  };
  const expectAnswer = (origin: string) => eventually(async () => expect(await ask(origin).catch(String)).toBe('here'));

  it.each(Object.entries(SERVERS))('leave room for others after a server that %s', async (_case, listener) => {
    const [control, reached] = [new AbortController(), Promise.withResolvers<undefined>()];
    const other = await serverThat((_request, response) => response.end('here'));
    const origin = await serverThat((request, response) => {
      listener(request, response);
      reached.resolve(undefined);
    });
    const asked = ask(origin, control.signal).catch(() => 'failed');
    await reached.promise;
    await expect(ask(other)).rejects.toThrow('Too many servers'); // the request to the first one still runs
    control.abort();
    await asked;
    await expectAnswer(other);
  });

  it('leave room for others after a server that cannot be reached', async () => {
    const gone = await serverThat(() => undefined);
    await new Promise((resolve) => servers.pop()!.close(resolve));
    await expect(ask(gone)).rejects.toThrow();
    const other = await serverThat((_request, response) => response.end('here'));
    await expectAnswer(other);
  });
});

describe('Outbound', () => {
  beforeAll(() => void Logger.overrideLogger(false));
  afterAll(() => void Logger.overrideLogger(['error']));

  it('loads its connections again after a failure, and stops after one', async () => {
    const url = 'https://far.test/';
    const outbound = new Outbound({ allowedPrivateAddresses: [], version: '1.2.3', baseUrl: 'https://social.example' });
    outbound.configure({ resolve: () => Promise.reject(new Error('asked')) });
    const load = jest.spyOn(tls, 'createSecureContext').mockImplementation(() => {
      throw new Error('too many open files');
    });
    syncBuiltinESMExports();
    await expect(outbound.fetch({ url })).rejects.toThrow('too many open files');
    load.mockRestore();
    syncBuiltinESMExports();
    await expect(outbound.fetch({ url })).rejects.toMatchObject({ kind: 'network', cause: { message: 'asked' } });
    await outbound.onApplicationShutdown();
  });
});
