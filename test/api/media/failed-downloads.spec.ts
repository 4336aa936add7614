import { Logger } from '@nestjs/common';
import { useApp } from '../../support/servers/app.js';
import { leadingTo, proxied, proxyOn, sending } from '../../support/servers/proxied.js';
import { post } from '../../support/fixtures/statuses.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';

const MESSAGE = 'A request to another server failed';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
let logged: object[];
let errors: unknown[];

beforeEach(async () => {
  web = await startWebHost();
  logged = [];
  errors = [];
  jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown, message: unknown) => {
    if (message === MESSAGE) logged.push(line as object);
  });
  for (const level of ['error', 'warn'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...[line]: unknown[]) => void errors.push(line));
  }
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect(JSON.stringify([logged, errors])).not.toContain('secret');
  await web.close();
});

const host = () => new URL(web.origin).host;

describe('logs the cause of a failed download', () => {
  it('of the media proxy', async () => {
    await proxyOn(app, { 'media_proxy.max_body_length': 1_000 });
    web.at('/page?token=secret', sending('<html>', 'text/html'));
    web.at('/text?token=secret', sending('no picture', 'image/png'));
    web.at('/large?token=secret', sending(Buffer.alloc(2_000), 'image/png'));
    web.at('/away?token=secret', leadingTo('https://10.0.0.1/'));
    for (const path of ['/missing', '/page', '/large', '/away']) {
      await app.http.get(proxied(app, `${web.origin}${path}?token=secret`)).expect(404);
    }
    expect(logged).toEqual([
      { host: host(), status: 404 },
      { host: host(), reason: 'the file is refused' },
      { host: host(), reason: 'the file is too-large' },
      expect.objectContaining({ host: host(), kind: 'refused-address' }),
    ]);
    await app.http.get(proxied(app, `${web.origin}/text?token=secret`)).expect(404);
    expect(logged).toHaveLength(4); // once a minute
    expect(errors).toEqual([]);
  });

  it('of a preview card', async () => {
    await app.world.persons('alice');
    web.at('/gone?token=secret', (request) => request.socket.destroy());
    await post(app, 'alice', `look ${web.origin}/gone?token=secret`);
    await app.drain();
    expect(logged).toEqual([
      { host: host(), kind: 'network', reason: 'The connection failed', errorCode: 'UND_ERR_SOCKET' },
    ]);
    expect(errors).toEqual([]);
  });

  it('of an emoji pack, with a plain 500 for the caller', async () => {
    await app.world.person('root', { admin: true });
    const root = await app.world.as('root', 'admin:write');
    web.at('/.well-known/nodeinfo', (_request, response) => response.writeHead(502).end());
    const pack = { url: `${web.origin}/?token=secret`, name: 'tea', as: 'tea' };
    await root.post('/api/v1/svc/emoji/packs/download', pack).expect(500, { error: 'The other server answered 502' });
    expect(logged).toEqual([{ host: host(), status: 502 }]);
    expect(errors).toEqual([]);
  });
});
