import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../../test/support/eventually.js';
import { HttpServer } from './http-server.js';
import { GATE_LIMITS, type GateLimits } from './request-gate.js';

const LOOPBACK = '127.0.0.1';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('HttpServer', () => {
  let http: HttpServer;
  /** Requests that the application got and has not answered. */
  let pending: [IncomingMessage, ServerResponse][] = [];
  const sockets: Socket[] = [];

  afterEach(async () => {
    jest.restoreAllMocks();
    sockets.splice(0).forEach((socket) => socket.destroy());
    await http.close();
  });

  async function start(limits: Partial<GateLimits> = {}, maxConnections = 10_000): Promise<void> {
    pending = [];
    http = new HttpServer({ trustedProxies: [], maxConnections }, { ...GATE_LIMITS, ...limits });
    await http.listen(0, LOOPBACK);
    http.serve((request, response) => pending.push([request, response]));
  }

  /** Sends bytes on a new connection; `text()` returns all answers so far. */
  function send(bytes: string): { socket: Socket; text: () => string } {
    const chunks: Buffer[] = [];
    const socket = connect(http.port, LOOPBACK, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    sockets.push(socket);
    return { socket, text: () => Buffer.concat(chunks).toString() };
  }

  const arrived = (count: number) => eventually(() => expect(pending).toHaveLength(count));
  const answerFirst = (body = 'done') => pending.shift()?.[1].end(body);
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

  it('answers 503 until the application is ready', async () => {
    http = new HttpServer({ trustedProxies: [], maxConnections: 10_000 });
    await http.listen(0, LOOPBACK);
    const client = send(get('/'));
    await once(client.socket, 'close');
    expect(client.text()).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: \d+[^]*\{"error":"The server is starting"\}$/);
  });

  it('goes on after an application that stopped to read a body', async () => {
    await start();
    const client = send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\npart`);
    await arrived(1);
    const [request, response] = pending[0] ?? [];
    const parts = request?.[Symbol.asyncIterator]();
    await parts?.next();
    await parts?.return?.(); // Node takes the socket from the request
    response?.writeHead(413, { connection: 'close' }).end();
    await eventually(() => expect(statuses(client.text())).toEqual(['413']));
    const other = send(get('/'));
    await arrived(2);
    pending[1]?.[1].end();
    await eventually(() => expect(statuses(other.text())).toEqual(['200']));
  });

  describe('H25 pipelined requests', () => {
    it('reach the application one after the other, and get their answers in the same order', async () => {
      await start();
      const client = send([1, 2, 3].map((n) => get(`/${n}`)).join(''));
      for (const path of ['/1', '/2', '/3']) {
        await arrived(1);
        expect(pending[0]?.[0].url).toBe(path);
        answerFirst(`answer to ${path}`);
      }
      await eventually(() => expect(client.text()).toMatch(/answer to \/1[^]*answer to \/2[^]*answer to \/3/));
    });

    it('are not read while earlier requests wait', async () => {
      await start();
      const { socket } = send(get('/'));
      await arrived(1);
      for (let sent = 0; sent < 400; sent += 1) socket.write(get(`/${'x'.repeat(8_000)}`).repeat(10));
      await eventually(() => expect(pending[0]?.[0].socket.isPaused()).toBe(true));
      expect(pending).toHaveLength(1);
      expect(pending[0]![0].socket.bytesRead).toBeLessThan(1_000_000);
    });

    it('are cut off when all connections together have sent too many', async () => {
      await start({ maxPipelined: 10 });
      const abusive = send(get('/').repeat(20));
      await once(abusive.socket, 'close');
      const polite = send(get('/polite'));
      await eventually(() => expect(pending.at(-1)?.[0].url).toBe('/polite'));
      pending.at(-1)?.[1].end();
      await eventually(() => expect(statuses(polite.text())).toEqual(['200']));
    });
  });

  describe('H25 a request above the limit of concurrent work', () => {
    it('waits in a queue, and gets 503 with Retry-After when the queue is full', async () => {
      await start({ maxWorking: 1, maxSlow: 0, maxBurst: 1, maxQueuedMs: 60_000 });
      const working = send(get('/working'));
      await arrived(1);
      const waiting = send(get('/waiting'));
      await eventually(() => expect(http.gate.load.queued).toBe(1));
      const refused = send(get('/refused'));
      await eventually(() => expect(refused.text()).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5[^]*overloaded/));
      answerFirst();
      await arrived(1);
      expect(pending[0]?.[0].url).toBe('/waiting');
      answerFirst();
      await eventually(() => expect([working, waiting].map(({ text }) => statuses(text())[0])).toEqual(['200', '200']));
    });

    it('is refused by a shorter queue where it has not been empty for long', async () => {
      const begun = performance.now();
      const now = jest.spyOn(performance, 'now').mockReturnValue(begun);
      await start({ maxWorking: 1, maxSlow: 0, maxQueued: 1, maxBurst: 2, maxQueuedMs: 60_000 });
      send(get('/working'));
      await arrived(1);
      send(get('/first'));
      await eventually(() => expect(http.gate.load.queued).toBe(1));
      now.mockReturnValue(begun + 59_000);
      send(get('/burst'));
      await eventually(() => expect(http.gate.load.queued).toBe(2));
      answerFirst();
      await arrived(1);
      now.mockReturnValue(begun + 61_000);
      const refused = send(get('/refused'));
      await eventually(() => expect(statuses(refused.text())).toEqual(['503']));
      expect(http.gate.load).toMatchObject({ queued: 1, refused: 1 });
    });

    it('is refused after a long wait', async () => {
      await start({ maxWorking: 1, maxSlow: 0, maxQueuedMs: 0 });
      send(get('/working'));
      await arrived(1);
      const late = send(get('/late'));
      await eventually(() => expect(statuses(late.text())).toEqual(['503']));
    });

    it.each(['/health/live', '/health/ready?x=1', '/metrics', '/api/v1/svc/healthcheck', '/proxy/a/b'])(
      'is accepted at %s',
      async (path) => {
        await start({ maxWorking: 0, maxQueued: 0, maxBurst: 0 });
        send(get(path));
        await arrived(1);
      },
    );

    it('gets the place of a slow request', async () => {
      await start({ maxWorking: 1, maxQueuedMs: 60_000 });
      send(get('/slow'));
      await arrived(1);
      send(get('/next'));
      await arrived(2);
      expect(http.gate.load).toMatchObject({ working: 1, slow: 1 });
    });

    it('gets the place of a second slow request when the answer of the first is streamed', async () => {
      await start({ maxWorking: 1, maxSlow: 1, maxQueuedMs: 60_000 });
      for (const [before, path] of ['/stream', '/slow'].entries()) {
        send(get(path));
        await arrived(before + 1);
      }
      pending[0]![1].write('first words');
      send(get('/next'));
      await arrived(3);
      expect(http.gate.load).toMatchObject({ working: 1, slow: 1 });
    });

    it('is not refused because of unfinished uploads and streamed answers', async () => {
      await start({ maxWorking: 2, maxBurst: 4, maxQueuedMs: 60_000 });
      send('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab');
      send(get('/stream'));
      await arrived(2);
      pending.find(([{ url }]) => url === '/stream')?.[1].write('first words');
      send(get('/other'));
      await eventually(() => expect(pending.map(([{ url }]) => url)).toContain('/other'));
    });
  });

  describe('H25 unused connections', () => {
    it.each([
      ['that are idle after a request', get('/')],
      ['that have sent nothing', ''],
      ['whose body never ends', 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'],
    ])('%s do not prevent requests', async (_which, bytes) => {
      await start({}, 10);
      const others: Socket[] = [];
      for (let count = 0; count < 10; count += 1) {
        const { socket, text } = send(bytes);
        others.push(socket);
        await once(socket, 'ready');
        if (bytes !== '') await arrived(1);
        if (bytes === get('/')) {
          answerFirst();
          await eventually(() => expect(text()).toContain('done'));
        }
        pending = [];
      }
      const polite = send(get('/health/live'));
      await eventually(() => expect(pending.at(-1)?.[0].url).toBe('/health/live'));
      pending.at(-1)?.[1].end();
      await eventually(() => expect(statuses(polite.text())).toEqual(['200']));
      await eventually(() => expect(others.map(({ destroyed }) => destroyed).filter(Boolean)).toHaveLength(1));
      expect(others[0]?.destroyed).toBe(true);
    });
  });

  it('H25 cuts off the oldest unread answers when they hold too many bytes together', async () => {
    await start({ maxUnsentBytes: 50_000_000 });
    const unread = (path: string) => {
      const { socket } = send(get(path));
      socket.pause();
    };
    for (const path of ['/oldest', '/newest']) {
      unread(path);
      await eventually(() => expect(pending.at(-1)?.[0].url).toBe(path));
      pending.at(-1)?.[1].end(Buffer.alloc(40_000_000));
    }
    const [oldest, newest] = pending;
    await eventually(() => expect(oldest?.[1].destroyed).toBe(true));
    expect(newest?.[1].destroyed).toBe(false);
  });

  it('H6 refuses a body at once and reads little of the rest', async () => {
    await start();
    const client = send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
    await arrived(1);
    const [request, response] = pending[0]!;
    response.writeHead(413).end();
    const part = Buffer.alloc(1_000_000);
    const sendOn = (): void => {
      client.socket.write(part, (error) => error ?? sendOn());
    };
    sendOn();
    await eventually(() => expect(client.socket.destroyed).toBe(true));
    expect(statuses(client.text())).toEqual(['413']);
    expect(request.socket.bytesRead).toBeLessThan(500_000_000);
  });

  it('H24 limits the time for headers and bodies', async () => {
    await start();
    expect(http.server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 600_000 });
  });

  describe('an invalid request', () => {
    it.each([
      ['400', 'a malformed request line', 'GARBAGE\r\n\r\n'],
      ['400', 'no Host', 'GET / HTTP/1.1\r\n\r\n'],
      ['417', 'an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'],
      ['431', 'too long headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ])('gets %s as JSON for %s', async (status, _fault, bytes) => {
      await start();
      const client = send(bytes);
      await once(client.socket, 'close');
      expect(statuses(client.text())).toEqual([status]);
      expect(client.text()).toMatch(/content-type: application\/json[^]*\r\n\r\n\{"error":"[^"]+"\}$/i);
      expect(pending).toEqual([]);
    });

    it('gets no answer in the middle of another one', async () => {
      await start();
      const client = send(get('/'));
      await arrived(1);
      pending[0]?.[1].write('half of ');
      await eventually(() => expect(client.text()).toContain('half of'));
      client.socket.write('GARBAGE\r\n\r\n');
      await once(client.socket, 'close');
      expect(statuses(client.text())).toEqual(['200']);
    });
  });
});
