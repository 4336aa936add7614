import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { FaviconsService } from '../../src/accounts/remote-instances/favicons.service.js';
import { SettingsService } from '../../src/config/index.js';
import { RemoteActors } from '../../src/federation/fetch/remote-actors.js';
import { Outbound } from '../../src/platform/index.js';
import { cavageHeaders, newKey, type RawActor, usePeer } from '../support/federation/raw-peer.js';
import type { Client } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';
import { proxied, proxyOn } from '../support/servers/proxied.js';

/*
 * Tries every feature that fetches with spellings of an address of this machine (threats S1–S3): directly, behind
 * a redirect of an allowed server, and behind a name. No connection may reach the canary. The control shows that each
 * feature does fetch what it is given.
 */

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const ADMIN = '/api/v1/svc/admin';
const LONG_MS = 120_000;
/**
 * All features use one fetcher. Each tries a third of the spellings directly and another third behind a redirect; together they
 * try all of them both ways, with http and https.
 */
const SHARES = 3;

/** Hosts that lead to this machine. */
const SPELLINGS = [
  ...['127.0.0.1', '127.1', '127.0.0.2', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0'],
  ...['①②⑦.⓪.⓪.①', 'localhost', 'localhost.', 'canary.test', 'both.test'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
];

let ada: Client;
let adaId: string;
let root: Client;
let serial = 0;
const key = newKey();

/** Counts the connections to this machine. */
let canary: { readonly port: number; connections: number; close(): void };
/** An allowed server that redirects every request. */
let gate: { readonly host: string; target: string | undefined; hits: number; close(): void };

const peer = usePeer();
beforeAll(async () => {
  [canary, gate] = await Promise.all([startCanary(), startGate()]);
});
const app = useApp({
  once: ['ada'],
  env: () => ({ ALLOWED_PRIVATE_ADDRESSES: `${gate.host},127.0.0.1:${peer.port}` }),
});

beforeAll(async () => {
  app.get(Outbound).configure({
    resolve: (host) =>
      Promise.resolve([
        ...(host === 'both.test' ? [{ address: '93.184.215.14', family: 4 }] : []),
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]),
  });
  await app.world.person('root', { admin: true });
  [ada, root] = await Promise.all([app.world.as('ada'), app.world.as('root', 'admin', 'read', 'write', 'follow')]);
  adaId = app.world.id('ada');
  await proxyOn(app);
});
afterAll(() => {
  canary.close();
  gate.close();
});

async function startCanary(): Promise<typeof canary> {
  const servers = [createTcpServer(), createTcpServer()];
  servers[0]!.listen(0, '0.0.0.0');
  await once(servers[0]!, 'listening');
  const { port } = servers[0]!.address() as AddressInfo;
  servers[1]!.on('error', () => undefined).listen({ port, host: '::1', ipv6Only: true }); // not every machine has IPv6
  const started = { port, connections: 0, close: () => servers.forEach((server) => server.close()) };
  for (const server of servers) server.on('connection', (socket) => (socket.destroy(), (started.connections += 1)));
  return started;
}

async function startGate(): Promise<typeof gate> {
  const server = createServer((_request, response) => {
    started.hits += 1;
    if (started.target === undefined) response.writeHead(404).end();
    else response.writeHead(302, { location: Buffer.from(started.target).toString('latin1') }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => (server.closeAllConnections(), server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: typeof gate = { host, target: undefined, hits: 0, close };
  return started;
}

/** A new actor of the peer that this server has fetched. */
async function met(): Promise<RawActor & { readonly id: string }> {
  const actor = peer.actor(`mo${(serial += 1)}`, key);
  const { id } = (await app.get(RemoteActors).resolve(actor.uri))!;
  return { ...actor, id };
}

async function send(actor: RawActor, activity: object): Promise<void> {
  const body = JSON.stringify({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${actor.uri}/activities/${(serial += 1)}`,
    actor: actor.uri,
    ...activity,
  });
  await app.http
    .post('/inbox')
    .set(cavageHeaders(actor, `${app.env.baseUrl}/inbox`, { body }))
    .send(body);
}

async function create(note: object): Promise<void> {
  const actor = await met();
  const object = {
    id: `${actor.uri}/notes/${(serial += 1)}`,
    type: 'Note',
    attributedTo: actor.uri,
    content: 'tea',
    to: [PUBLIC],
    cc: [`${app.env.baseUrl}/users/ada`],
    tag: [{ type: 'Mention', href: `${app.env.baseUrl}/users/ada` }],
    ...note,
  };
  await send(actor, { type: 'Create', object, to: [PUBLIC] });
}

/** An actor that ada follows. */
async function followed(): Promise<RawActor> {
  const actor = await met();
  await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [adaId, actor.id]);
  return actor;
}

/** The features that fetch, each with a function that makes it fetch a URL of any host. */
const FEATURES: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'search for a post': (url) => ada.get('/api/v2/search', { q: url, resolve: true }),
  'search for a handle': (url) => ada.get('/api/v2/search', { q: `@mo${serial}@${hostOf(url)}`, resolve: true }),
  'interaction from a handle': (url) =>
    app.http
      .post('/api/v1/svc/remote_interaction')
      .send({ ap_id: `${app.env.baseUrl}/users/ada`, profile: `mo${serial}@${hostOf(url)}` }),
  'page of a remote follow': (url) =>
    app.http
      .post('/main/ostatus')
      .type('form')
      .send({ nickname: 'ada', profile: `mo${serial}@${hostOf(url)}` }),
  'preview of a link': (url) => ada.post('/api/v1/statuses', { status: `see ${url}` }),
  'link of a profile': (url) =>
    ada.patch('/api/v1/accounts/update_credentials', { fields_attributes: [{ name: 'site', value: url }] }),
  'proxied picture': (url) => app.http.get(proxied(app, url)),
  'packs of another server': (url) => root.get('/api/v1/svc/emoji/packs/remote', { url }),
  'download of a pack': (url) => root.post('/api/v1/svc/emoji/packs/download', { url, name: 'tea' }),
  frontend: (url) => root.post(`${ADMIN}/frontends/install`, { name: `tea${serial}`, build_url: url }),
  relay: (url) => root.post(`${ADMIN}/relay`, { relay_url: url }),
  alias: (url) => ada.put('/api/svc/aliases', { alias: `mo${serial}@${hostOf(url)}` }),
  'import of follows': (url) => ada.post('/api/svc/follow_import', { list: `mo${serial}@${hostOf(url)}` }),
  'key of a signature': async (url) =>
    send({ ...(await met()), keyId: Buffer.from(url).toString('latin1') }, { type: 'Like', object: url }),
  'boosted post': async (url) => send(await followed(), { type: 'Announce', object: url, to: [PUBLIC] }),
  'answered post': (url) => create({ inReplyTo: url }),
  'quoted post': (url) => create({ quoteUrl: url }),
  'mentioned account': (url) => create({ tag: [{ type: 'Mention', href: url, name: '@mo' }] }),
  'scores of pictures': async (url) => {
    const values = { 'mrf.policies': ['NsfwApiPolicy'], 'mrf_nsfw_api.url': url };
    await app.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
    await create({ attachment: [{ type: 'Image', url: 'https://pictures.example/1.png' }] });
  },
  'inbox of a follower': async (url) => {
    const { id } = await met();
    await app.sql('update accounts set inbox_url = $2, shared_inbox_url = null where id = $1', [id, url]);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [id, adaId]);
    await ada.post('/api/v1/statuses', { status: 'to followers', visibility: 'private' });
  },
  'favicon of a server': async (url) => {
    const { id } = await met();
    await app.sql('update accounts set ap_id = $2, domain = $3 where id = $1', [id, url, hostOf(url)]);
    await app.get(FaviconsService).refresh();
  },
  'move to an account': async (url) => {
    const actor = await followed();
    await send(actor, { type: 'Move', object: actor.uri, target: url });
  },
};

const hostOf = (url: string) => /\/\/([^/]+)/.exec(url)![1]!;

async function use(name: string, origin: string): Promise<void> {
  serial += 1;
  await FEATURES[name]!(`${origin}/${serial}`);
  await app.drain();
}

describe('An address of this machine', () => {
  const names = Object.keys(FEATURES);
  it.each(names)(
    'is never contacted by: %s',
    async (name) => {
      gate.target = undefined;
      gate.hits = 0;
      await use(name, `http://${gate.host}`);
      expect(gate.hits).toBeGreaterThan(0);
      for (const [at, host] of SPELLINGS.entries()) {
        const turn = at + names.indexOf(name);
        const scheme = turn % 2 === 0 ? 'http' : 'https';
        if (turn % SHARES === 0) await use(name, `${scheme}://${host}:${canary.port}`);
        if (turn % SHARES !== 1) continue;
        gate.target = `${scheme}://${host}:${canary.port}/within`;
        await use(name, `http://${gate.host}`);
      }
      expect(canary.connections).toBe(0);
    },
    LONG_MS,
  );
});
