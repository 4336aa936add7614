import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import supertest from 'supertest';
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
