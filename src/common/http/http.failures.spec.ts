import type { NextFunction, Request, Response } from 'express';
import supertest from 'supertest';
import { type HttpApp, startHttpApp } from '../../../test/support/servers/http-app.js';

const NOTE = '/api/v1/notes/folder';
const INTERNAL = [500, { error: 'Internal server error' }];

/** Middleware behind all others that fails as the query says, at once or behind something that it waited for. */
function fail({ query }: Request, response: Response, next: NextFunction): void {
  if (query['with'] === 'throw') throw new Error('thrown');
  if (query['with'] === 'next') next(new Error('passed on'));
  else if (query['with'] === 'late') setImmediate(() => next(new Error('passed on later')));
  else if (query['with'] === 'answered') {
    response.write('half');
    next(new Error('behind the answer'));
  } else next();
}

/** Waits as the turn of reads does, and throws nothing itself. */
function wait(_request: Request, _response: Response, next: NextFunction): void {
  setImmediate(next);
}

describe('H22 failures in middleware', () => {
  let http: HttpApp;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);

  beforeAll(async () => {
    process.on('uncaughtException', note).on('unhandledRejection', note);
    http = await startHttpApp({}, undefined, wait, fail);
  });
  afterAll(async () => {
    await http.close();
    process.off('uncaughtException', note).off('unhandledRejection', note);
  });
  afterEach(() => expect(uncaught).toEqual([]));

  it.each(['throw', 'next', 'late'])(
    'H22 are 500 without details, with the headers of every answer (%s)',
    async (way) => {
      const { status, body, headers } = await supertest(http.server).get(NOTE).query({ with: way });
      expect([status, body]).toEqual(INTERNAL);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'private, no-store',
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      });
    },
  );

  it('cut off an answer that has begun', async () => {
    await expect(supertest(http.server).get(NOTE).query({ with: 'answered' })).rejects.toThrow();
  });

  it('leave the server as it was', async () => {
    expect((await supertest(http.server).get(NOTE)).status).toBe(200);
  });

  it.each([
    ['GET', '/api/v1/%zz', 400],
    ['GET', '*', 404],
    ['GET', '//', 404],
    ['GET', '?a=b', 400],
    ['GET', 'http://[/', 400],
    ['GET', 'http://a:99999999/api', 404],
    ['GET', '\\\\', 400],
    ['OPTIONS', '*', 404],
    ['GET', '/api/v1/notes?a[[[=1', 404],
  ])('answer %s %s with JSON', async (method, target, status) => {
    const text = await http.raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/\r\n\r\n\{"error":"[^"]+"\}$/);
  });
});
