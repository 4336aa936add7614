import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { ROUTE_METHODS, RouteIndex } from './route-index.js';

const ROUTES = [
  ['get', '/'],
  ['get', '/api/items/latest'],
  ['get', '/api/items/:id'],
  ['put', '/api/items/:id'],
  ['get', '/api/items/:id/parts/:part'],
  ['get', '/api/:kind/first'],
  ['get', '/@:name'],
  ['get', '/@:name/:id'],
  ['get', '/files/:name.json'],
  ['get', '/files{/:name}'],
  ['all', '/any/*path'],
  ['get', '/.well-known/thing'],
  ['options', '/api/items/:id'],
  ['get', '/pages/*path'],
  ['get', '/pages/late'],
  ['get', '/*path'],
] as const;

const PATHS = [
  ...['/', '/api', '/api/items', '/api/items/latest', '/API/Items/LATEST', '/api/items/latest/', '/api/items/7'],
  ...['/api/items//', '/api/items/a%2Fb', '/api/items/latest//', '/api/items/first', '/api/other/first', '/api//first'],
  ...['/api/items/7/parts/8', '/api/items/latest/parts/8', '/api/items/7/parts', '/@alice', '/@', '/@alice/3', '/@/3'],
  ...['/files', '/files/', '/files/a', '/files/a.json', '/files/.json', '/files/a/b', '/any', '/any/', '/any/a/b'],
  ...['/.well-known/thing', '/.WELL-KNOWN/thing?query=/api/items/1', '/pages', '/pages/late', '/pages/x/y', '/x/y/z'],
  ...['/%E3%81', '/api/items/%', '/constructor', '/api/__proto__', '/api/items/%6Catest'],
];

/** Answers with the route and its parameters, or passes the request on when the query asks for it. */
function handler(name: string): RequestHandler {
  return (request, response, next) => {
    if (request.query['skip'] === name) next();
    else response.json({ name, params: { ...request.params }, template: (request.route as { path: string }).path });
  };
}

describe('the index of routes', () => {
  const index = new RouteIndex();
  const plain = express();
  for (const [method, path] of ROUTES) {
    index.add(method, path, handler(`${method} ${path}`));
    plain[method](path, handler(`${method} ${path}`));
  }
  const indexed = express().use(index.handle);

  it.each(['get', 'head', 'put', 'post', 'options'] as const)(
    'answers %s like Express without the index',
    async (method) => {
      for (const path of PATHS) {
        const [answer, expected] = await Promise.all([
          supertest(indexed)[method](path),
          supertest(plain)[method](path),
        ]);
        const seen = [path, answer.status, answer.body, answer.get('Allow')];
        expect(seen).toEqual([path, expected.status, expected.body, expected.get('Allow')]);
      }
    },
  );

  it('passes a request on to the next route that matches', async () => {
    const { body } = await supertest(indexed).get('/api/items/latest').query({ skip: 'get /api/items/latest' });
    expect(body).toMatchObject({ name: 'get /api/items/:id', params: { id: 'latest' } });
  });

  it('covers the methods of Nest’s decorators', () => {
    expect(ROUTE_METHODS).toEqual(expect.arrayContaining(['get', 'post', 'put', 'patch', 'delete', 'head', 'all']));
  });
});
