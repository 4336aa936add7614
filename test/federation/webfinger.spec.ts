import { Logger } from '@nestjs/common';
import { WebFingerClient } from '../../src/federation/fetch/webfinger-client.js';
import { Asker, Outbound, readEnv } from '../../src/platform/index.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../support/servers/web-host.js';

const ACTOR = 'https://far.test/users/zoe';
const self = { rel: 'self', type: 'application/activity+json', href: ACTOR };
const page = { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: 'https://far.test/@zoe' };
const subscribe = { rel: 'http://ostatus.org/schema/1.0/subscribe', template: 'https://far.test/follow?uri={uri}' };

describe('WebFingerClient', () => {
  let host: WebHost;
  let outbound: Outbound;
  let client: WebFingerClient;

  const zoe = () => ({ username: 'zoe', domain: host.host });
  const usual = () => `/.well-known/webfinger?resource=${encodeURIComponent(`acct:zoe@${host.host}`)}`;
  const serve = (path: string, body: string, type = 'application/jrd+json') =>
    host.at(path, (_request, response) => response.setHeader('content-type', type).end(body));

  beforeAll(async () => {
    Logger.overrideLogger(false);
    host = await startWebHost();
    const env = readEnv({ BASE_URL: 'https://svc.test', ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS });
    outbound = new Outbound(env);
    client = new WebFingerClient(env, outbound, new Asker(outbound));
  });
  beforeEach(() => {
    host.at(usual());
    host.asked();
  });
  afterAll(async () => {
    Logger.overrideLogger(['error']);
    await outbound.onApplicationShutdown();
    await host.close();
  });

  it('reads JSON of any media type: the actor, the subject and the follow page', async () => {
    serve(
      usual(),
      JSON.stringify({ subject: 'acct:Zoe@FAR.test', links: [page, null, self, subscribe] }),
      'text/plain',
    );
    const subject = { username: 'Zoe', domain: 'far.test' };
    expect(await client.resolve(zoe())).toEqual({ actorUri: ACTOR, subject });
    expect(await client.followPage(zoe())).toBe('https://far.test/follow?uri={uri}');
  });

  it('uses the handle as the subject when there is none, and reads the other media type', async () => {
    const type = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
    serve(usual(), JSON.stringify({ subject: ACTOR, links: [{ ...self, type }] }));
    expect(await client.resolve(zoe())).toEqual({ actorUri: ACTOR, subject: zoe() });
  });

  it.each([404, 503])('asks the address in host-meta after %s and reads XML', async (status) => {
    host.at(usual(), (_request, response) => response.writeHead(status).end());
    serve(
      '/.well-known/host-meta',
      `<?xml version="1.0"?><XRD xmlns="x"><Link rel="lrdd" template="${host.origin}/finger?q={uri}"/></XRD>`,
      'application/xrd+xml',
    );
    const xrd = `<XRD><Subject>acct:zoe@far.test</Subject><Alias>x</Alias><Link rel="self" type="application/activity+json" href="${ACTOR}"/></XRD>`;
    serve(`/finger?q=${encodeURIComponent(`acct:zoe@${host.host}`)}`, xrd);
    expect(await client.resolve(zoe())).toEqual({
      actorUri: ACTOR,
      subject: { username: 'zoe', domain: 'far.test' },
    });
  });

  it.each([
    ['filled many times', `{uri}${'{uri}'.repeat(100)}`],
    ['more than any address', 'x'.repeat(90_000)],
  ])('asks at no address of host-meta that is too long: %s', async (_case, more) => {
    const template = `${host.origin}/finger?q={uri}${more}`;
    serve('/.well-known/host-meta', JSON.stringify({ links: [{ rel: 'lrdd', template }] }));
    expect(await client.resolve(zoe())).toBeUndefined();
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['no links', '{"links":7}'],
    ['a link of another type', JSON.stringify({ links: [{ ...self, type: 'text/html' }] })],
    ['a script', JSON.stringify({ links: [{ ...self, href: 'javascript:alert(1)' }] })],
  ])('finds no account in a document with %s', async (_case, body) => {
    serve(usual(), body);
    expect(await client.resolve(zoe())).toBeUndefined();
    expect(await client.followPage(zoe())).toBeUndefined();
  });

  it('never asks this server, and fails for a domain with an address that is not public', async () => {
    expect(await client.resolve({ username: 'ann', domain: 'svc.test' })).toBeUndefined();
    await expect(client.resolve({ username: 'zoe', domain: '10.0.0.1' })).rejects.toThrow('not public');
    expect(host.asked()).toEqual([]);
  });
});
