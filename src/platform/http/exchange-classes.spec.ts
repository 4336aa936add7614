import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Express } from 'express';
import supertest from 'supertest';
import { FixedHeaders, setFixedHeaders } from './fixed-headers.js';
import { HttpAdapter, HttpServer } from './http-server.js';

describe('requests and answers', () => {
  const http = new HttpServer({ trustedProxies: [], maxConnections: 10 });
  const app = new HttpAdapter(http).getInstance<Express>();
  const prototypes = (request: IncomingMessage, response: ServerResponse): unknown[] =>
    [request, response].map((object) => Object.getPrototypeOf(object) as unknown);

  afterAll(() => http.close());

  it('have the methods of Express before Express has them', async () => {
    const seen: unknown[][] = [];
    http.serve((request, response) => {
      seen.push(prototypes(request, response));
      app(request, response);
      seen.push(prototypes(request, response));
    });
    app.use((request, response) => response.json({ path: request.path, type: request.accepts('json') }));
    const { body } = await supertest(http.server).get('/some?thing=1');
    expect(body).toEqual({ path: '/some', type: 'json' });
    expect(seen[0]).toEqual([app.request, app.response]);
    expect(seen[1]?.map((prototype, index) => prototype === seen[0]?.[index])).toEqual([true, true]);
  });

  it('get JSON where the application has no answer', async () => {
    http.serve((_request, _response, unhandled) => unhandled());
    const unread = await supertest(http.server).get('/');
    expect([unread.status, unread.body]).toEqual([400, { error: 'Bad Request' }]);
    http.serve((_request, _response, unhandled) => unhandled(new Error('in the handling of another error')));
    const failed = await supertest(http.server).get('/');
    expect([failed.status, failed.body]).toEqual([500, { error: 'Internal server error' }]);
    http.serve((_request, response, unhandled) => {
      response.write('half');
      unhandled(new Error('behind the answer'));
    });
    await expect(supertest(http.server).get('/')).rejects.toThrow();
  });
});

describe('fixed headers', () => {
  const fixed = new FixedHeaders([
    ['Cache-Control', 'private, no-store'],
    ['X-Frame-Options', 'DENY'],
  ]);
  const http = new HttpServer({ trustedProxies: [], maxConnections: 10 });
  let change: (response: ServerResponse) => void = () => undefined;

  beforeAll(() =>
    http.serve((_request, response) => {
      setFixedHeaders(response, fixed);
      change(response);
      response.end('done');
    }),
  );
  afterAll(() => http.close());

  /** The fixed headers of an answer as they were sent: each once. */
  async function sent(changed: (response: ServerResponse) => void): Promise<unknown[]> {
    change = changed;
    const { res } = (await supertest(http.server).get('/')) as unknown as { res: IncomingMessage };
    return ['cache-control', 'x-frame-options'].map((name) => res.headersDistinct[name]?.join('|'));
  }

  it('are sent, and can be read before', async () => {
    let seen: unknown[] = [];
    const read = (response: ServerResponse) => {
      response.setHeader('X-Other', 'value');
      seen = [response.getHeader('cache-control'), response.hasHeader('X-FRAME-OPTIONS'), response.getHeaders()];
      seen.push(response.getHeaderNames().sort(), response.getHeader('x-none'), response.hasHeader('x-none'));
    };
    expect(await sent(read)).toEqual(['private, no-store', 'DENY']);
    const all = { 'cache-control': 'private, no-store', 'x-frame-options': 'DENY', 'x-other': 'value' };
    expect(seen).toEqual(['private, no-store', true, all, Object.keys(all), undefined, false]);
  });

  it.each<[string, (response: ServerResponse) => void, unknown[]]>([
    ['set', (response) => response.setHeader('cache-control', 'no-cache'), ['no-cache', 'DENY']],
    ['set as one of many', (r) => r.setHeaders(new Map([['x-frame-options', 'SAME']])), ['private, no-store', 'SAME']],
    ['removed', (response) => response.removeHeader('X-frame-options'), ['private, no-store', undefined]],
    ['appended to', (response) => response.appendHeader('X-Frame-Options', 'SAME'), ['private, no-store', 'DENY|SAME']],
    ['written', (response) => response.writeHead(200, { 'Cache-Control': 'no-cache' }), ['no-cache', 'DENY']],
    ['written in a list', (r) => r.writeHead(200, 'Fine', ['Cache-Control', 'no-cache']), ['no-cache', 'DENY']],
    ['kept with a status', (response) => response.writeHead(201), ['private, no-store', 'DENY']],
  ])('are %s for one answer', async (_what, changed, expected) => {
    expect(await sent(changed)).toEqual(expected);
    expect(await sent(() => undefined)).toEqual(['private, no-store', 'DENY']);
  });

  it('cannot be invalid', () => {
    expect(() => new FixedHeaders([['X-Bad', 'a\r\nSet-Cookie: b']])).toThrow(TypeError);
    expect(() => new FixedHeaders([['X Bad', 'a']])).toThrow(TypeError);
  });

  it('are set on answers of other classes', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    setFixedHeaders(response, fixed);
    expect(response.getHeaders()).toEqual({ 'cache-control': 'private, no-store', 'x-frame-options': 'DENY' });
  });
});
