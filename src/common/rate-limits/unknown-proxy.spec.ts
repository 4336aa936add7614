import supertest from 'supertest';
import { type HttpApp, startHttpApp } from '../../../test/support/servers/http-app.js';

describe('H15 a proxy in front of the server', () => {
  let http: HttpApp;
  afterEach(() => http.close());

  const get = (headers: Record<string, string>) => supertest(http.server).get('/api/v1/notes/folder').set(headers);

  it('that TRUSTED_PROXIES does not name is logged once, with the setting to change', async () => {
    http = await startHttpApp({ TRUSTED_PROXIES: '10.0.0.1' });
    await get({}).expect(200);
    expect(http.warnings).toEqual([]);
    await get({ 'x-forwarded-for': '203.0.113.5' }).expect(200);
    await get({ 'x-forwarded-for': '203.0.113.6' }).expect(200);
    await get({ forwarded: 'for=203.0.113.7' }).expect(200);
    expect(http.warnings).toEqual([expect.stringContaining('set TRUSTED_PROXIES=10.0.0.1,127.0.0.1.')]);
  });

  it('is logged also when it sends only the header of RFC 7239', async () => {
    http = await startHttpApp({});
    await get({ forwarded: 'for=203.0.113.7' }).expect(200);
    expect(http.warnings).toEqual([expect.stringMatching(/^127\.0\.0\.1 forwards requests/)]);
  });

  it('is not logged when it is named', async () => {
    http = await startHttpApp({ TRUSTED_PROXIES: '127.0.0.0/8' });
    await get({ 'x-forwarded-for': '203.0.113.5' }).expect(200);
    expect(http.warnings).toEqual([]);
  });
});
