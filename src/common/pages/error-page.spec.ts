import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Get } from '@nestjs/common';
import supertest from 'supertest';
import { type HttpApp, startHttpApp } from '../../../test/support/servers/http-app.js';
import { Public } from '../routing/access.js';
import { asReason } from '../reasons/reasons.js';
import { Forbidden, Invalid, TooManyRequests, Unavailable } from '../errors/errors.js';
import { RootApi } from '../routing/routes.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

@RootApi('rooms')
class RoomsController {
  @Get('locked') @Public() locked() {
    throw new Forbidden(asReason('Only for <b>members</b>'));
  }
  @Get('odd') @Public() odd() {
    throw new Invalid('Poll has expired');
  }
  @Get('full') @Public() full() {
    throw new TooManyRequests(7);
  }
  @Get('away') @Public() away() {
    throw new Unavailable();
  }
  @Get('broken') @Public() broken() {
    throw new Error('select * from users at /home/svc/src/secret.ts');
  }
}

describe('a failure', () => {
  let http: HttpApp;
  let dataDir: string;
  const get = (path: string, accept?: string, language = 'en') => {
    const request = supertest(http.server).get(path).set('Accept-Language', language);
    return accept === undefined ? request : request.set('Accept', accept);
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-http-'));
    http = await startHttpApp({ DATA_DIR: dataDir }, [RoomsController]);
  });
  afterAll(async () => {
    await http.close();
    await rm(dataDir, { recursive: true });
  });

  it.each([
    ['/nothing', 404, 'There is nothing here'],
    ['/rooms/locked', 403, 'This is not for you to see'],
    ['/rooms/odd', 400, 'That did not work'],
    ['/rooms/full', 429, 'That was a bit much'],
    ['/rooms/away', 503, 'Back in a moment'],
    ['/rooms/broken', 500, 'Something went wrong'],
    ['/%ff', 400, 'That did not work'],
  ])('of %s is a page with %d in a browser: %s', async (path, status, title) => {
    const { text, headers, ...answer } = await get(path, BROWSER);
    expect(answer.status).toBe(status);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['vary']).toMatch(/Accept\b.*Accept-Language/);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(`<title>${title} · svc</title>`);
    expect(text).toContain('<meta name="robots" content="noindex" />');
  });

  it('is shown in the language of the reader', async () => {
    const { text, headers } = await get('/nothing', BROWSER, 'de-CH,de;q=0.9');
    expect(headers['content-language']).toBe('de');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Hier ist nichts');
  });

  it('says the reason where its status says nothing', async () => {
    const odd = async (language: string) => (await get('/rooms/odd', BROWSER, language)).text;
    expect(await odd('en')).toContain('<p class="lead">Poll has expired</p>');
    expect(await odd('de')).toContain('<p class="lead">Die Umfrage ist beendet.</p>');
    expect(await odd('fr')).toContain('<p class="lead">Le sondage est terminé.</p>');
    expect((await get('/rooms/odd')).body).toEqual({ error: 'Poll has expired' });
  });

  it('H22 shows only its number in the log', async () => {
    const { text, headers } = await get('/rooms/broken', BROWSER);
    expect(text).toContain(headers['x-request-id']);
    expect(text).not.toMatch(/select|secret\.ts|Error/);
    expect((await get('/rooms/locked', BROWSER)).text).not.toContain('members');
  });

  it('keeps its headers', async () => {
    expect((await get('/rooms/full', BROWSER)).headers['retry-after']).toBe('7');
  });

  it.each([
    ['on a path of the APIs', '/api/v1/nothing', BROWSER],
    ['at the address where apps get tokens', '/oauth/token', BROWSER],
    ['for programs that accept anything', '/nothing', '*/*'],
    ['for programs without an Accept header', '/nothing', undefined],
    ['for apps', '/nothing', 'application/json'],
    ['for other servers', '/users/nobody', 'application/activity+json, application/ld+json'],
  ])('is JSON %s', async (_case, path, accept) => {
    const answer = await get(path, accept);
    expect([answer.status, answer.body]).toEqual([404, { error: expect.stringMatching(/^Not (found|implemented)$/) }]);
  });
});
