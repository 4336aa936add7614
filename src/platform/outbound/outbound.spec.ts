import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { Outbound, type OutboundHop, type OutboundOptions, type OutboundRequest } from './outbound.js';
import { OutboundError, type OutboundErrorKind } from './outbound-error.js';

interface Peer {
  readonly port: number;
  /** The number of connections so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

async function listen(server: Server): Promise<Peer> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('Outbound', () => {
  beforeAll(() => void Logger.overrideLogger(false));
  afterAll(() => void Logger.overrideLogger(['error']));
  const closing: { close(): Promise<void> }[] = [];
  let seen: IncomingMessage[];
  let outbound: Outbound;

  function made(allowedPrivateAddresses: string[], options: OutboundOptions = {}): Outbound {
    const created = new Outbound({ allowedPrivateAddresses, version: '1.2.3', baseUrl: 'https://social.example' });
    created.configure(options);
    closing.push({ close: () => created.onApplicationShutdown() });
    return created;
  }

  async function serve(listener: RequestListener): Promise<Peer> {
    const server = createServer((request, response) => {
      seen.push(request);
      listener(request, response);
    });
    const peer = await listen(server);
    closing.push(peer);
    return peer;
  }

  async function serveBytes(onConnection: (socket: Socket) => void): Promise<Peer> {
    const peer = await listen(createTcpServer(onConnection));
    closing.push(peer);
    return peer;
  }

  const json = (response: ServerResponse, value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  const redirectTo = (response: ServerResponse, location: string, status = 302) =>
    response.writeHead(status, { location }).end('moved');

  async function failure(request: OutboundRequest, from = outbound): Promise<OutboundErrorKind> {
    const error: unknown = await from.fetch(request).then(
      () => new Error('nothing failed'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof OutboundError)) throw error;
    expect(error.publicText).toBe('The remote server could not be reached');
    return error.kind;
  }

  beforeEach(() => {
    seen = [];
    outbound = made(['127.0.0.1', 'localhost']);
  });
  afterEach(async () => {
    for (const thing of closing.splice(0)) await thing.close();
  });

  describe('a request', () => {
    it('names this server', async () => {
      const { port } = await serve((_request, response) => json(response, { ok: true }));
      const answer = await outbound.fetch({
        url: `http://127.0.0.1:${port}/a?b=c#d`,
        accept: ['application/json', 'application/activity+json'],
        headers: { 'X-Trace': '1' },
      });
      expect(answer).toMatchObject({
        status: 200,
        url: `http://127.0.0.1:${port}/a?b=c`,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.body.toString()).toBe('{"ok":true}');
      expect(seen[0]).toMatchObject({
        method: 'GET',
        url: '/a?b=c',
        headers: {
          host: `127.0.0.1:${port}`,
          'user-agent': 'svc 1.2.3; https://social.example',
          accept: 'application/json, application/activity+json',
          'x-trace': '1',
        },
      });
    });

    it('can post a body', async () => {
      const bodies: Promise<Buffer>[] = [];
      const { port } = await serve((request, response) => {
        bodies.push(buffer(request));
        response.writeHead(202).end();
      });
      const body = Buffer.from('{"type":"Follow"}');
      const answer = await outbound.fetch({ url: `http://localhost:${port}/inbox`, method: 'POST', body });
      expect(answer).toMatchObject({ status: 202, body: Buffer.alloc(0) });
      expect(await bodies[0]).toEqual(body);
      expect(seen[0]?.headers['content-length']).toBe(String(body.length));
    });

    it('never carries cookies or a foreign host name', async () => {
      const { port } = await serve((_request, response) => {
        response.setHeader('set-cookie', ['a=b', 'c=d']);
        json(response, {});
      });
      const url = `http://localhost:${port}/`;
      const first = await outbound.fetch({ url, headers: { Cookie: 'a=b', Host: 'evil.example' } });
      await outbound.fetch({ url });
      expect(first.headers).not.toHaveProperty('set-cookie');
      for (const { headers } of seen) {
        expect(headers).not.toHaveProperty('cookie');
        expect(headers.host).toBe(`localhost:${port}`);
      }
    });

    it('gets answers of any status, with the body of successful ones only', async () => {
      const { port } = await serve((request, response) =>
        response.writeHead(Number(request.url?.slice(1))).end('x'.repeat(5000)),
      );
      for (const status of [400, 401, 404, 410, 429, 500, 503, 304]) {
        const answer = await outbound.fetch({
          url: `http://localhost:${port}/${status}`,
          accept: ['application/json'],
          maxBytes: 100,
        });
        expect(answer).toMatchObject({ status, body: Buffer.alloc(0) });
      }
    });

    it('refuses a successful answer of another type', async () => {
      const { port } = await serve((_request, response) => response.setHeader('content-type', 'text/html').end('<p>'));
      expect(await failure({ url: `http://localhost:${port}/`, accept: ['application/json'] })).toBe('media-type');
    });

    it('fails inside a unit of work', async () => {
      const { port, connections } = await serve((_request, response) => json(response, {}));
      outbound.configure({
        assertNoTransaction: () => {
          throw new Error('a unit of work is open');
        },
      });
      await expect(outbound.fetch({ url: `http://localhost:${port}/` })).rejects.toThrow('a unit of work is open');
      expect(connections()).toBe(0);
    });

    it('fails at once after the shutdown', async () => {
      const { port } = await serve((_request, response) => json(response, {}));
      await outbound.onApplicationShutdown();
      expect(await failure({ url: `http://localhost:${port}/` })).toBe('network');
    });
  });

  describe('an address', () => {
    it('gets no connection when it is private, under any name', async () => {
      const { port, connections } = await serve((_request, response) => json(response, {}));
      const strict = made([], { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
      for (const host of ['rebind.example', '127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
        expect(await failure({ url: `https://${host}:${port}/` }, strict)).toBe('refused-address');
      }
      expect(await failure({ url: `http://localhost:${port}/` }, strict)).toBe('bad-url');
      expect(connections()).toBe(0);
    });

    it('is resolved once: the connection uses the checked address', async () => {
      const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }]];
      const peer = await serve((_request, response) => json(response, {}));
      const listed = made(['127.0.0.1'], { resolve: () => Promise.resolve(answers.shift() ?? []) });
      // The peer speaks no TLS, so the error shows that the connection reached it.
      expect(await failure({ url: `https://rebind.example:${peer.port}/` }, listed)).toBe('network');
      expect(peer.connections()).toBe(1);
      expect(answers).toHaveLength(1);
      expect(await failure({ url: `https://rebind.example:${peer.port}/` }, listed)).toBe('refused-address');
    });
  });

  describe('redirects', () => {
    it('are followed, also when they are relative, and the answer names its address', async () => {
      const { port } = await serve((request, response) => {
        if (request.url === '/a') redirectTo(response, 'b', 301);
        else if (request.url === '/b') redirectTo(response, `//127.0.0.1:${port}/c`, 307);
        else json(response, { at: request.url });
      });
      const answer = await outbound.fetch({ url: `http://localhost:${port}/a` });
      expect(answer).toMatchObject({ status: 200, url: `http://127.0.0.1:${port}/c` });
      expect(answer.body.toString()).toBe('{"at":"/c"}');
    });

    it('to private addresses, other schemes and credentials are refused without a connection', async () => {
      const canary = await serve((_request, response) => json(response, {}));
      const { port } = await serve((request, response) =>
        redirectTo(response, decodeURIComponent(request.url?.slice(1) ?? '')),
      );
      const strict = made([`localhost:${port}`]);
      const kinds = async (target: string) =>
        failure({ url: `http://localhost:${port}/${encodeURIComponent(target)}` }, strict);
      expect(await kinds(`https://127.0.0.1:${canary.port}/`)).toBe('refused-address');
      expect(await kinds(`https://[::ffff:7f00:1]:${canary.port}/`)).toBe('refused-address');
      for (const target of [
        `http://127.0.0.1:${canary.port}/`,
        `http://localhost:${canary.port}/`,
        `http://mo:pw@localhost:${port}/`,
        'file:///etc/passwd',
        'ftp://example.com/',
        'javascript:alert(1)',
        'http://',
        'https://exa mple/',
      ]) {
        expect(await kinds(target)).toBe('redirect');
      }
      expect(canary.connections()).toBe(0);
    });

    it('end at circles and after the fifth', async () => {
      const { port } = await serve((request, response) => {
        const step = Number(request.url?.slice(1));
        if (step === 0) json(response, {});
        else redirectTo(response, step === 99 ? '/99' : step === 50 ? '/51' : step === 51 ? '/50' : `/${step - 1}`);
      });
      const from = (step: number, more: Partial<OutboundRequest> = {}) => ({
        url: `http://localhost:${port}/${step}`,
        ...more,
      });
      expect(await failure(from(99))).toBe('redirect');
      expect(await failure(from(50))).toBe('redirect');
      expect(await outbound.fetch(from(5))).toMatchObject({ status: 200 });
      expect(await failure(from(6))).toBe('redirect');
      expect(await failure(from(1, { maxRedirects: 0 }))).toBe('redirect');
      expect(await outbound.fetch(from(6, { maxRedirects: 6 }))).toMatchObject({ status: 200 });
    });

    it.each([301, 302, 303, 307, 308])('with status %i drop the body', async (status) => {
      const { port } = await serve((_request, response) => redirectTo(response, '/elsewhere', status));
      const answer = await outbound.fetch({
        url: `http://localhost:${port}/inbox`,
        method: 'POST',
        body: Buffer.from('private'),
      });
      expect(answer).toMatchObject({ status, headers: { location: '/elsewhere' } });
      expect(seen).toHaveLength(1);
    });

    it('to an avoided host are refused, like requests to it', async () => {
      const { port } = await serve((request, response) => {
        if (request.headers.host?.startsWith('localhost')) redirectTo(response, `http://127.0.0.1:${port}/`);
        else json(response, {});
      });
      const avoid = [`127.0.0.1:${port}`];
      expect(await failure({ url: `http://127.0.0.1:${port}/`, avoid })).toBe('redirect');
      expect(seen).toHaveLength(0);
      expect(await failure({ url: `http://localhost:${port}/`, avoid })).toBe('redirect');
      expect(seen).toHaveLength(1);
    });

    it('without a location are returned', async () => {
      const { port } = await serve((_request, response) => response.writeHead(302).end());
      expect(await outbound.fetch({ url: `http://localhost:${port}/` })).toMatchObject({ status: 302 });
    });

    it('are signed on the first host, and not after another host', async () => {
      const { port } = await serve((request, response) => {
        if (request.url === '/a') redirectTo(response, '/b');
        else if (request.url === '/b') redirectTo(response, `http://127.0.0.1:${port}/c`);
        else if (request.url === '/c') redirectTo(response, `http://localhost:${port}/d`);
        else json(response, {});
      });
      const signed: OutboundHop[] = [];
      await outbound.fetch({
        url: `http://localhost:${port}/a`,
        headers: { Authorization: 'Bearer secret' },
        accept: ['application/json'],
        sign: (hop) => {
          signed.push(hop);
          return Promise.resolve({ Signature: `for ${hop.url.pathname}` });
        },
      });
      expect(signed).toMatchObject([
        { method: 'GET', url: { pathname: '/a' }, headers: { accept: 'application/json' }, body: undefined },
        { method: 'GET', url: { pathname: '/b' } },
      ]);
      expect(seen.map(({ headers }) => headers.signature)).toEqual(['for /a', 'for /b', undefined, undefined]);
      expect(seen.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer secret',
        'Bearer secret',
        undefined,
        undefined,
      ]);
    });

    it('pass an error of the signer on', async () => {
      const { port, connections } = await serve((_request, response) => json(response, {}));
      const sign = () => {
        throw new Error('the key is gone');
      };
      await expect(outbound.fetch({ url: `http://localhost:${port}/`, sign })).rejects.toThrow('the key is gone');
      expect(connections()).toBe(0);
    });
  });

  describe('hostile and broken servers', () => {
    it('time out without an answer, also for requests that wait for a connection', async () => {
      const { port } = await serve(() => undefined);
      const requests = Array.from({ length: 12 }, () => failure({ url: `http://localhost:${port}/`, timeoutMs: 100 }));
      expect(new Set(await Promise.all(requests))).toEqual(new Set(['timeout']));
    });

    it('time out with a slow body and with a chain of slow redirects', async () => {
      const trickle = await serveBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const timer = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(timer));
      });
      expect(await failure({ url: `http://localhost:${trickle.port}/`, timeoutMs: 100 })).toBe('timeout');
      let step = 0;
      const slow = await serve((_request, response) => {
        step += 1;
        setTimeout(() => redirectTo(response, `/${step}`), 30);
      });
      expect(await failure({ url: `http://localhost:${slow.port}/`, timeoutMs: 100, maxRedirects: 1000 })).toBe(
        'timeout',
      );
    });

    it('are limited in compressed and decompressed bodies and in headers', async () => {
      const { port } = await serve((request, response) => {
        if (request.url === '/endless')
          response.on('drain', () => response.write(Buffer.alloc(65_536))).write(Buffer.alloc(65_536));
        else if (request.url === '/lying')
          response.writeHead(200, { 'content-length': 10_000_000_000 }).write(Buffer.alloc(2_000_000));
        else if (request.url === '/bomb')
          response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50_000_000)));
        else if (request.url === '/header') response.setHeader('x-long', 'x'.repeat(100_000)).end();
        else response.end(Buffer.alloc(1001));
      });
      for (const path of ['endless', 'lying', 'bomb', 'header']) {
        expect(await failure({ url: `http://localhost:${port}/${path}` })).toBe('too-large');
      }
      expect(await failure({ url: `http://localhost:${port}/`, maxBytes: 1000 })).toBe('too-large');
      expect((await outbound.fetch({ url: `http://localhost:${port}/`, maxBytes: 1001 })).body).toHaveLength(1001);
    });

    it.each([
      ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['says nothing', ''],
      ['promises more than it sends', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
      ['smuggles', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello'],
      ['sends a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello'],
    ])('count as unreachable when the server %s', async (_fault, bytes) => {
      const { port } = await serveBytes((socket) => socket.end(bytes));
      expect(await failure({ url: `http://localhost:${port}/` })).toBe('network');
    });

    it('count as unreachable with a closed port or an unknown name', async () => {
      const peer = await listen(createTcpServer());
      await peer.close();
      expect(await failure({ url: `http://localhost:${peer.port}/` })).toBe('network');
      const nowhere = made([], { resolve: () => Promise.reject(new Error('ENOTFOUND')) });
      expect(await failure({ url: 'https://nowhere.example/' }, nowhere)).toBe('network');
    });

    it('can be fetched from again after a failure', async () => {
      let answers = 0;
      const { port } = await serve((request, response) => {
        answers += 1;
        if (answers === 1) request.socket.destroy();
        else json(response, {});
      });
      expect(await failure({ url: `http://localhost:${port}/` })).toBe('network');
      expect(await outbound.fetch({ url: `http://localhost:${port}/` })).toMatchObject({ status: 200 });
    });
  });
});
