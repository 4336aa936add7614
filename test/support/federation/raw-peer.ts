import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Outbound } from '../../../src/platform/index.js';
import { type AppOptions, startApp, type TestApp, useApp } from '../servers/app.js';
import { freePort } from '../servers/free-port.js';
import { useStarted } from '../servers/use.js';
import type { Actor } from './servers.js';

const ACTIVITY_JSON = 'application/activity+json';

/** A key of this peer. Spec files share keys, because making one takes long. */
export interface PeerKey {
  readonly pem: string;
  readonly privateKey: KeyObject;
}

const COMMON_BITS = 2048;
const keys: PeerKey[] = [];
/** More than a spec file needs beside each other. */
const MOST_KEYS = 8;
let given = 0;

/** A key that differs from the seven before it. */
export function newKey(bits = COMMON_BITS): PeerKey {
  return bits === COMMON_BITS ? (keys[(given += 1) % MOST_KEYS] ??= makeKey(bits)) : makeKey(bits);
}

function makeKey(bits: number): PeerKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return { pem: publicKey.export({ type: 'spki', format: 'pem' }) as string, privateKey };
}

/** An actor of a {@link RawPeer}. */
export interface RawActor extends Actor {
  readonly keyId: string;
  readonly key: PeerKey;
}

/** A document or another answer, by its path. */
export type Answer = Readonly<Record<string, unknown>> | { readonly status: number };

/** The request to sign, and the differences from an honest signature. */
export interface SignOptions {
  readonly method?: string;
  readonly body?: string;
  readonly keyId?: string;
  readonly key?: PeerKey;
  readonly date?: Date;
  /** More headers that may be signed. */
  readonly extra?: Readonly<Record<string, string>>;
  /** The names that the signature covers. */
  readonly covered?: readonly string[];
  readonly algorithm?: string;
  /** The host and the path that are signed. */
  readonly host?: string;
  readonly target?: string;
  readonly digest?: string;
}

/** A server that serves any documents, and can forge each part of a signed request. */
export class RawPeer {
  /** The answers by path and query. A promise delays its answer. */
  readonly answers = new Map<string, Answer | Promise<Answer>>();
  /** More headers of the answers by path and query. */
  readonly headers = new Map<string, Readonly<Record<string, string>>>();
  /** The requests that arrived, as method and path. */
  readonly seen: string[] = [];
  /** The activities that its inboxes received. */
  readonly received: Readonly<Record<string, unknown>>[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
    void text(request).then(async (body) => {
      if (request.method === 'POST') this.received.push(JSON.parse(body) as Readonly<Record<string, unknown>>);
      const answer = (await this.answers.get(request.url ?? '')) ?? { status: 404 };
      const status = typeof answer['status'] === 'number' ? answer['status'] : 200;
      response
        .writeHead(status, { 'content-type': ACTIVITY_JSON, ...this.headers.get(request.url ?? '') })
        .end(JSON.stringify(answer));
    });
  });

  private constructor(
    private readonly name: string,
    readonly port: number,
  ) {}

  /** @param name its host name, which resolves for servers of {@link startBeside} */
  static async start(name = '127.0.0.1'): Promise<RawPeer> {
    const peer = new RawPeer(name, await freePort());
    peer.server.listen(peer.port, '127.0.0.1');
    await once(peer.server, 'listening');
    return peer;
  }

  /** The name and port. */
  get host(): string {
    return `${this.name}:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The number of requests for a path. */
  asked(path: string): number {
    return this.seen.filter((request) => request === `GET ${path}`).length;
  }

  /** Makes an actor and serves its document. */
  actor(name: string, key: PeerKey, changes: object = {}): RawActor {
    const uri = `${this.url}/users/${name}`;
    const keyId = `${uri}#main-key`;
    this.answers.set(`/users/${name}`, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: uri,
      type: 'Person',
      preferredUsername: name,
      inbox: `${uri}/inbox`,
      publicKey: { id: keyId, owner: uri, publicKeyPem: key.pem },
      ...changes,
    });
    return { uri, handle: `${name}@${this.host}`, keyId, key };
  }
}

/** The raw peer of a spec file or a `describe`. */
export function usePeer(name?: string): RawPeer {
  return useStarted(() => RawPeer.start(name));
}

const addressesOf = (peers: readonly RawPeer[]) => ({
  ALLOWED_PRIVATE_ADDRESSES: peers.map(({ host }) => host).join(','),
});
const resolveHere = (app: TestApp) =>
  app.get(Outbound).configure({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });

/** Starts a test server that reaches these peers, by their names too. */
export async function startBeside(...peers: readonly RawPeer[]): Promise<TestApp> {
  const app = await startApp(addressesOf(peers));
  resolveHere(app);
  return app;
}

/** The test server of a spec file or a `describe` ({@link useApp}) that reaches these peers, by their names too. */
export function useBeside(peers: readonly RawPeer[], options: Omit<AppOptions, 'env'>): TestApp {
  const app = useApp({ ...options, env: () => addressesOf(peers) });
  beforeAll(() => resolveHere(app));
  return app;
}

/** Sends a signed activity to an inbox of a server, which takes it, and lets it take effect. */
export async function sendTo(app: TestApp, signer: RawActor, activity: object, path = '/inbox'): Promise<void> {
  const body = JSON.stringify({ actor: signer.uri, ...activity });
  const headers = cavageHeaders(signer, app.env.baseUrl + path, { body });
  await app.http.post(path).set(headers).send(body).expect(202);
  await app.drain();
}

/** The headers of a request to `url`, signed by draft-cavage. */
export function cavageHeaders(actor: RawActor, url: string, options: SignOptions = {}): Record<string, string> {
  const honest = honestly(actor, url, options);
  const digest = options.body === undefined ? {} : { digest: `SHA-256=${sha256(options.body)}` };
  const covered = ['(request-target)', 'host', 'date', ...Object.keys(digest)];
  const forged = { algorithm: 'rsa-sha256', covered, ...digest, ...honest, ...options };
  const headers: Record<string, string> = { date: forged.date.toUTCString(), ...definedOf({ digest: forged.digest }) };
  const seconds = String(Math.floor(forged.date.getTime() / 1000));
  const values: Record<string, string> = {
    ...headers,
    '(request-target)': `${forged.method.toLowerCase()} ${forged.target}`,
    host: forged.host,
    '(created)': seconds,
    'content-type': ACTIVITY_JSON,
    ...options.extra,
  };
  const text = forged.covered.map((name) => `${name}: ${values[name]}`).join('\n');
  const parameters = [
    `keyId="${forged.keyId}"`,
    `algorithm="${forged.algorithm}"`,
    `created=${seconds}`,
    `headers="${forged.covered.join(' ')}"`,
    `signature="${signed(text, forged.key)}"`,
  ];
  return { ...headers, 'content-type': ACTIVITY_JSON, signature: parameters.join(',') };
}

/** The headers of a request to `url`, signed by RFC 9421. */
export function rfc9421Headers(actor: RawActor, url: string, options: SignOptions = {}): Record<string, string> {
  const honest = honestly(actor, url, options);
  const digest = options.body === undefined ? {} : { digest: `sha-256=:${sha256(options.body)}:` };
  const covered = ['@method', '@target-uri', ...(options.body === undefined ? [] : ['content-digest'])];
  const forged = { algorithm: 'rsa-v1_5-sha256', covered, ...digest, ...honest, ...options };
  const headers = definedOf({ 'content-digest': forged.digest });
  const [path, query = ''] = forged.target.split('?');
  const values: Record<string, string | undefined> = {
    '@method': forged.method,
    '@target-uri': `http${url.startsWith('https') ? 's' : ''}://${forged.host}${forged.target}`,
    '@authority': forged.host,
    '@path': path,
    '@query': `?${query}`,
    ...headers,
  };
  const names = forged.covered.map((name) => `"${name}"`).join(' ');
  const created = Math.floor(forged.date.getTime() / 1000);
  const parameters = `(${names});created=${created};keyid="${forged.keyId}";alg="${forged.algorithm}"`;
  const lines = forged.covered.map((name) => `"${name}": ${values[name]}`);
  const signature = signed([...lines, `"@signature-params": ${parameters}`].join('\n'), forged.key);
  const input = { 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` };
  return { 'content-type': ACTIVITY_JSON, ...headers, ...input };
}

function honestly({ keyId, key }: RawActor, url: string, { body }: SignOptions) {
  const { host, pathname, search } = new URL(url);
  const method = body === undefined ? 'GET' : 'POST';
  return { method, date: new Date(), keyId, key, host, target: pathname + search };
}

function definedOf(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function sha256(body: string): string {
  return createHash('sha256').update(body).digest('base64');
}

function signed(text: string, { privateKey }: PeerKey): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64');
}
