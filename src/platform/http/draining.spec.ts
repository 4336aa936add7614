import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Draining } from './draining.js';

const HOUR_MS = 3_600_000;

describe('Draining', () => {
  const keepAlive = new Agent({ keepAlive: true });
  let server: Server;
  let port: number;
  let draining: Draining;
  /** Requests that wait until the test answers them. */
  let waiting: ServerResponse[];

  beforeEach(async () => {
    waiting = [];
    server = createServer((asked, answer) => {
      if (asked.url === '/slow') waiting.push(answer);
      else answer.end('quick');
    });
    draining = new Draining();
    draining.attach(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    keepAlive.destroy();
    server.close();
    server.closeAllConnections();
  });

  const get = async (path: string) => {
    const [answer] = (await once(request({ port, path, agent: keepAlive }).end(), 'response')) as [IncomingMessage];
    return { connection: answer.headers.connection, body: await text(answer) };
  };
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  it('leaves room for more listeners on an answer that sends a file', async () => {
    const room = new Promise<number>((resolve) => {
      server.once('request', (_asked, answer: ServerResponse) => {
        for (let others = 0; others < 3; others += 1) answer.once('close', () => undefined); // gate, metrics and log
        void pipeline(Readable.from(['a file']), answer);
        resolve(answer.getMaxListeners() - answer.listenerCount('close'));
      });
    });
    await get('/slow');
    expect(await room).toBeGreaterThanOrEqual(0);
  });

  it('changes nothing before it begins', async () => {
    expect(await get('/')).toEqual({ connection: 'keep-alive', body: 'quick' });
    expect(draining.hasBegun).toBe(false);
  });

  it('ends when no connection is open and no client connects', async () => {
    await draining.drain(HOUR_MS);
    expect(draining.hasBegun).toBe(true);
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends idle connections at once without a time of grace', async () => {
    await get('/');
    await draining.drain(0);
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends unused connections at once without a time of grace', async () => {
    const ended = once(await open(), 'close');
    await draining.drain(0);
    await ended;
  });

  it('lets requests finish, and closes their connections', async () => {
    const seen = once(server, 'request');
    const slow = get('/slow');
    await seen;
    const drained = draining.drain(0);
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    waiting[0]?.end('slow');
    expect(await slow).toEqual({ connection: 'close', body: 'slow' });
    await drained;
  });

  it('ends a connection after an answer that began earlier', async () => {
    const asked = request({ port, path: '/slow', agent: keepAlive }).end();
    await once(server, 'request');
    waiting[0]?.write('be');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const drained = draining.drain(0);
    waiting[0]?.end('gun');
    expect(answer.headers.connection).toBe('keep-alive');
    expect(await text(answer)).toBe('begun');
    await drained;
  });

  it('accepts connections and requests in the time of grace while a connection is open', async () => {
    const first = await open();
    const drained = draining.drain(HOUR_MS);
    expect(await get('/')).toEqual({ connection: 'close', body: 'quick' });
    expect(await get('/')).toEqual({ connection: 'close', body: 'quick' });
    first.destroy();
    await drained;
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('still listens after the last connection closed, since the next request may be under way', async () => {
    const drained = draining.drain(HOUR_MS);
    for (let count = 0; count < 200; count += 1) {
      expect(await get('/')).toEqual({ connection: 'close', body: 'quick' });
    }
    await drained; // no client connects any more
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('stops listening after the time of grace', async () => {
    const idle = await open();
    const ended = once(idle, 'close');
    await draining.drain(1);
    await ended;
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('cuts off requests that take too long', async () => {
    const seen = once(server, 'request');
    const slow = get('/slow');
    await seen;
    await Promise.all([expect(slow).rejects.toMatchObject({ code: 'ECONNRESET' }), draining.drain(0, 1)]);
  });

  it('ends upgraded connections after it stopped listening', async () => {
    const lasting: Socket[] = [];
    server.on('upgrade', (_request, socket: Socket) => lasting.push(socket));
    const client = await open();
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(server, 'upgrade');
    const listened: boolean[] = [];
    draining.beforeStop(() => Promise.reject(new Error('is ignored')));
    draining.beforeStop(() => {
      listened.push(server.listening);
      for (const socket of lasting) socket.end();
    });
    const ended = once(client, 'end');
    await draining.drain(0);
    await ended;
    expect(listened).toEqual([false]);
  });
});
