import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { definitions } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { mp3, mp4, picture, webm } from '../../support/fixtures/media-files.js';
import { forgetFiles, gifOf, keptFiles, leadingTo, proxied, proxyOn, sending } from '../../support/servers/proxied.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;

beforeEach(async () => {
  await forgetFiles(app);
  await proxyOn(app);
  web = await startWebHost();
});
afterEach(() => web.close());

const at = (path: string) => proxied(app, web.origin + path);
const get = (path: string, headers: Record<string, string> = {}) => app.http.get(at(path)).set(headers);
const set = (settings: Parameters<typeof proxyOn>[1]) => proxyOn(app, settings);
/** Expects a failure without a reason for the file at a path. */
async function expectNone(path: string): Promise<void> {
  const { status, text, headers } = await get(path);
  expect([path, status, text]).toEqual([path, 404, 'Not Found']);
  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
}
/** The bytes that arrived before the connection broke off. */
async function brokenOff(path: string): Promise<number> {
  let size = 0;
  const request = get(path)
    .buffer(true)
    .parse((response, done) => {
      response.on('data', (chunk: Buffer) => (size += chunk.length));
      response.on('end', () => done(null, ''));
    });
  await expect(request.then(({ status }) => status)).rejects.toThrow(/aborted|socket hang up/);
  return size;
}

describe('a file of another server', () => {
  it('is served with its type and a strict policy', async () => {
    const content = await picture('png');
    web.at('/a/cat.png', (_request, response) => {
      const headers = { 'content-type': 'image/png', 'set-cookie': 'a=b', 'x-other': 'c', 'cache-control': 'no-store' };
      response.writeHead(200, { ...headers, 'content-length': content.length }).end(content);
    });
    const answer = await get('/a/cat.png').expect(200);
    const headers = answer.headers as Record<string, string>;
    expect(answer.body).toEqual(content);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'content-disposition': "inline; filename*=UTF-8''cat.png",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=900, must-revalidate',
    });
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
    expect(headers['content-security-policy']).not.toMatch(/script|unsafe-eval|allow-/);
    for (const name of ['set-cookie', 'x-other']) expect(headers).not.toHaveProperty(name);
  });

  it('M7 is requested without data of the viewer', async () => {
    let seen: IncomingMessage | undefined;
    web.at('/cat.gif', (request, response) => {
      seen = request;
      sending(gifOf(100))(request, response);
    });
    await get('/cat.gif', {
      Cookie: 'session=secret',
      Authorization: 'Bearer secret',
      'User-Agent': 'A browser of her own',
      Referer: 'https://svc.test/secret',
      'X-Forwarded-For': '203.0.113.7',
      'Accept-Language': 'tlh',
      Range: 'bytes=0-9',
      'If-None-Match': '"secret"',
    });
    const { 'user-agent': agent, connection, host, ...others } = seen!.headers;
    expect(agent).toBe(`svc ${app.env.version}; https://svc.test`);
    expect([connection, host]).toEqual(['keep-alive', web.host]);
    expect(others).toEqual({ accept: 'image/*, video/*, audio/*', 'accept-encoding': 'identity' });
  });

  it.each([
    ['a video', 'video/mp4', 'video/mp4', () => mp4()],
    ['another video', 'video/webm', 'video/webm', () => webm()],
    ['sound', 'audio/mpeg', 'audio/mpeg', () => mp3()],
    ['a picture that is called anything', 'application/octet-stream', 'image/gif', () => gifOf(100)],
    ['a picture that is called another', 'image/png', 'image/jpeg', () => picture('jpeg')],
    ['an icon', 'image/vnd.microsoft.icon', 'image/x-icon', () => Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0])],
  ])('may be %s', async (_what, called, type, make) => {
    const content = await make();
    web.at('/file', sending(content, called));
    const answer = await get('/file').buffer(true).expect(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(Number(answer.headers['content-length'])).toBe(content.length);
  });

  it('is fetched once, and served in ranges and with 304 like a local file', async () => {
    const content = gifOf(3_000, 7);
    web.at('/cat.gif', sending(content));
    await get('/cat.gif').expect(200);
    expect(await keptFiles(app)).toHaveLength(1);
    const answer = await get('/cat.gif').expect(200);
    expect(answer.body).toEqual(content);
    expect(answer.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'image/gif' });
    await get('/cat.gif', { 'If-None-Match': answer.headers['etag']! }).expect(304);
    const part = await get('/cat.gif', { Range: 'bytes=0-5' }).expect(206);
    expect([part.headers['content-range'], String(part.body)]).toEqual(['bytes 0-5/3000', 'GIF89a']);
    await app.http.head(at('/cat.gif')).expect(200);
    expect(web.asked()).toEqual(['/cat.gif']);
  });

  it.each([
    ['its beginning', 'bytes=0-5'],
    ['many parts', `bytes=${'0-,'.repeat(2_000)}`],
    ['what cannot be', 'bytes=9-0'],
    ['lines', 'lines=1'],
    ['what lies behind its end', 'bytes=999999-'],
  ])('M7 is fetched whole when the first request is for %s', async (_what, range) => {
    let asked: string | undefined = 'not at all';
    web.at('/cat.gif', (request, response) => {
      asked = request.headers.range;
      sending(gifOf(3_000))(request, response);
    });
    const { status, headers } = await get('/cat.gif', { Range: range });
    expect([200, 206, 416]).toContain(status);
    expect(headers['content-security-policy']).toMatch(/^sandbox/);
    expect(asked).toBeUndefined();
    expect((await get('/cat.gif').expect(200)).headers['content-length']).toBe('3000');
  });

  it('is fetched once for concurrent readers, and streamed to them', async () => {
    const content = gifOf(200_000, 3);
    let goOn = (): void => undefined;
    web.at('/cat.gif', (_request, response) => {
      response.setHeader('content-type', 'image/gif').write(content.subarray(0, 100_000));
      goOn = () => void response.end(content.subarray(100_000));
    });
    const first = get('/cat.gif')
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          goOn();
          goOn = () => undefined;
        });
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
    const answers = await Promise.all([
      first,
      get('/cat.gif'),
      get('/cat.gif', { Range: 'bytes=1-2' }),
      get('/cat.gif'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 206, 200]);
    for (const at of [0, 1, 3]) expect(answers[at]!.body).toEqual(content);
    expect(web.asked()).toEqual(['/cat.gif']);
  });

  it('has the name in its URL, and no other', async () => {
    web.at('/a%20cat.gif', sending(gifOf(100)));
    const path = at('/a%20cat.gif');
    expect(path).toMatch(/\/a%20cat\.gif$/);
    const short = path.slice(0, path.lastIndexOf('/'));
    for (const target of [path, short]) {
      const { headers } = await app.http.get(target).expect(200);
      expect(headers['content-disposition']).toBe("inline; filename*=UTF-8''a%20cat.gif");
    }
    for (const name of ['evil.html', 'A%20cat.gif', '..%2Fx']) {
      expect((await app.http.get(`${short}/${name}`).expect(302)).headers['location']).toBe(path);
    }
    expect(web.asked()).toEqual(['/a%20cat.gif']);
  });
});

describe('an address of the proxy', () => {
  it('M7 is refused unless this server signed it', async () => {
    web.at('/cat.gif', sending(gifOf(100)));
    web.at('/dog.gif', sending(gifOf(100)));
    const [, , cat = '', url = ''] = at('/cat.gif').split('/');
    const [, , dog = ''] = at('/dog.gif').split('/');
    const forged = [
      `x/${url}`,
      `${dog}/${url}`,
      `${cat.slice(1)}/${url}`,
      `${cat}A/${url}`,
      `${cat}/${url}A`,
      `%20/${url}`,
    ];
    for (const path of forged.flatMap((one) => [one, `${one}/cat.gif`, `preview/${one}`, `preview/${one}/cat.gif`])) {
      await set({ 'media_preview_proxy.enabled': true });
      const { status, text } = await app.http.get(`/proxy/${path}`);
      expect([path, status, text]).toEqual([path, 403, 'Forbidden']);
    }
    expect(web.asked()).toEqual([]);
    await get('/cat.gif').expect(200);
  });

  it('answers 404 while the proxy is off, which is the default', async () => {
    web.at('/cat.gif', sending(gifOf(100)));
    const path = at('/cat.gif');
    await set({ 'media_proxy.enabled': definitions['media_proxy.enabled'].default });
    expect((await app.http.get(path).expect(404)).text).toBe('Not Found');
    expect((await app.http.get(path.replace('/proxy', '/proxy/preview')).expect(404)).text).toBe('Not Found');
    expect(web.asked()).toEqual([]);
  });
});

describe('M7 the proxy refuses', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const HTML = '<!doctype html><script>alert(1)</script>';

  it.each([
    ['a page', 'text/html', HTML],
    ['a page that is called a picture', 'image/png', HTML],
    ['a page that is called anything', 'application/octet-stream', HTML],
    ['a page that is called nothing', '', HTML],
    ['a drawing with a script', 'image/svg+xml', SVG],
    ['a drawing that is called a picture', 'image/png', `<?xml version="1.0"?>${SVG}`],
    ['a script', 'image/gif', 'alert(1)'],
    ['a document', 'application/pdf', '%PDF-1.7\n%'],
    ['a document that is called a picture', 'image/png', '%PDF-1.7\n%'],
    ['a picture that is called a page', 'text/html', gifOf(100)],
    ['a picture that is called a drawing', 'image/svg+xml', gifOf(100)],
    ['a list', 'application/activity+json', '{"type":"Note"}'],
    ['nothing', 'image/png', ''],
  ])('%s', async (_what, type, content) => {
    web.at('/file', sending(content, type));
    await expectNone('/file');
    expect(await keptFiles(app)).toEqual([]);
  });

  it.each([201, 206, 204, 301, 304, 400, 401, 404, 410, 418, 500, 503])('an answer of %i', async (status) => {
    web.at('/file', (_request, response) =>
      response.writeHead(status, { 'content-type': 'image/gif' }).end(gifOf(100)),
    );
    await expectNone('/file');
  });

  it('a compressed answer, whose size has no bound', async () => {
    web.at('/file', (request, response) => {
      response.setHeader('content-encoding', 'gzip');
      sending(gzipSync(gifOf(10_000_000)))(request, response);
    });
    await expectNone('/file');
  });

  it('B4 redirects to internal addresses, loops and long chains', async () => {
    const within = await startWebHost('127.0.0.2');
    within.at('/cat.gif', sending(gifOf(100)));
    const targets = [
      `${within.origin}/cat.gif`,
      `https://${within.host}/cat.gif`,
      'http://169.254.169.254/latest/meta-data/',
      'https://10.0.0.1/cat.gif',
      'https://[::1]/cat.gif',
      'https://svc.test/media/ab/cat.gif',
      'file:///etc/passwd',
      'data:image/gif;base64,R0lGODlh',
      '/redirect',
    ];
    for (const [at, target] of targets.entries()) {
      web.at(`/redirect${at}`, leadingTo(target));
      await expectNone(`/redirect${at}`);
    }
    expect(within.asked()).toEqual([]);
    await within.close();
    web.at('/loop', leadingTo('/loop?'));
    web.at('/loop?', leadingTo('/loop'));
    await expectNone('/loop');
    for (const step of [0, 1, 2, 3]) web.at(`/step${step}`, leadingTo(`/step${step + 1}`));
    web.at('/step4', sending(gifOf(100)));
    await expectNone('/step0');
    await get('/step1').expect(200);
    await set({ 'media_proxy.max_redirects': 0 });
    await expectNone('/step3');
  });

  it('a file of this server itself', async () => {
    const self = await startWebHost();
    self.at('/cat.gif', sending(gifOf(100)));
    web.at('/redirect', leadingTo(self.origin + '/cat.gif'));
    const path = at('/redirect');
    await set({ 'media_proxy.base_url': self.origin });
    expect((await app.http.get(path)).status).toBe(404);
    expect([web.asked(), self.asked()]).toEqual([['/redirect'], []]);
    await self.close();
  });

  it('B4 an internal address', async () => {
    for (const url of ['https://10.0.0.1/cat.gif', 'https://127.0.0.2/cat.gif', 'http://b.example/cat.gif']) {
      expect((await app.http.get(proxied(app, url)).expect(404)).text).toBe('Not Found');
    }
  });

  it('a file with a declared length above the limit', async () => {
    await set({ 'media_proxy.max_body_length': 5_000 });
    web.at('/lying', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/gif', 'content-length': 10_000_000_000 }).write(gifOf(100));
    });
    await expectNone('/lying');
  });

  it('an endless file above the limit', async () => {
    await set({ 'media_proxy.max_body_length': 300_000 });
    web.at('/endless', (_request, response) => {
      response.on('drain', () => response.write(Buffer.alloc(65_536))).setHeader('content-type', 'image/gif');
      response.write(gifOf(65_536));
    });
    expect(await brokenOff('/endless')).toBeLessThanOrEqual(300_000);
    expect(web.asked()).toEqual(['/endless']);
    await expectNone('/endless');
    expect(web.asked()).toEqual([]);
    expect(await keptFiles(app)).toEqual([]);
  });

  it('a slow server', async () => {
    await set({ 'media_proxy.max_read_duration': 100 });
    web.at('/silent', () => undefined);
    await expectNone('/silent');
    await set({ 'media_proxy.max_read_duration': 2_000 }); // enough for the beginning to arrive
    web.at('/slow', (_request, response) => {
      response.setHeader('content-type', 'image/gif').write(gifOf(20_000));
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await brokenOff('/slow')).toBeGreaterThan(0);
    expect(await keptFiles(app)).toEqual([]);
  });

  it('more concurrent files of one server, while others continue', async () => {
    await set({ 'media_proxy.max_read_duration': 3_000 });
    const other = await startWebHost();
    other.at('/cat.gif', sending(gifOf(100)));
    const names = Array.from({ length: 70 }, (_, at) => `/silent${at}`);
    for (const name of names) web.at(name, () => undefined);
    const waiting = names.map((name) => get(name).then(({ status }) => status));
    await Promise.any(waiting.map(async (one) => expect(await one).toBe(503)));
    await app.http.get(proxied(app, `${other.origin}/cat.gif`)).expect(200);
    const statuses = await Promise.all(waiting);
    expect([404, 503].map((wanted) => statuses.filter((status) => status === wanted).length)).toEqual([64, 6]);
    await other.close();
  });

  it('a truncated file', async () => {
    web.at('/half', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/gif', 'content-length': 50_000 });
      response.write(gifOf(20_000), () => response.destroy());
    });
    await brokenOff('/half');
    expect(await keptFiles(app)).toEqual([]);
    web.at('/half', sending(gifOf(50_000)));
    expect((await get('/half').expect(200)).headers['content-length']).toBe('50000');
  });
});

describe('a failed download', () => {
  it('is not repeated for a while', async () => {
    await expectNone('/gone.gif');
    await expectNone('/gone.gif');
    web.at('/gone.gif', sending(gifOf(100)));
    await expectNone('/gone.gif');
    expect(web.asked()).toEqual(['/gone.gif']);
    await set({ 'media_proxy.max_body_length': 1_000_000 });
    await get('/gone.gif').expect(200);
  });

  it('does not count against other files of its server', async () => {
    for (let count = 0; count <= 64; count += 1) await expectNone(`/gone${count}.gif`); // more than run at once
    web.at('/here.gif', sending(gifOf(100)));
    await get('/here.gif').expect(200);
  });

  it('redirects viewers to the origin if configured, except for refused files', async () => {
    await set({ 'media_proxy.redirect_on_failure': true, 'media_proxy.max_body_length': 1_000 });
    web.at('/large.gif', sending(gifOf(2_000)));
    expect((await get('/large.gif').expect(302)).headers['location']).toBe(`${web.origin}/large.gif`);
    web.at('/page', sending('<script>', 'text/html'));
    await expectNone('/page');
  });
});
