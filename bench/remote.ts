import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RequestSigner } from './built.ts';
import { type Answer, type LoadResult, requestBytes, runLoad } from './load.ts';
import { cpuOfTree } from './processes.ts';

const CONNECTIONS = 16;
const WARM_UP = 1 / 3;

/** A key of a third server, with which requests are signed. */
interface Reader {
  readonly keyId: string;
  /** The file of its private key. */
  readonly file: string;
}

export interface RemoteOptions {
  /** Of any server of the reference API, on this machine. */
  readonly baseUrl: string;
  /** Of an account that follows others, with `read` and `write`. */
  readonly token: string;
  /** The processes of the server and of its database, if their CPU is to be measured. */
  readonly pids: readonly number[];
  /** Whoever reads actors. */
  readonly reader: Reader | undefined;
  readonly seconds: number;
  readonly only: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

interface RemoteScenario {
  readonly requests: readonly Buffer[];
  readonly connections?: number;
  readonly isRight: (body: unknown) => boolean;
}

/** Measures what every server of the reference API answers, with what is there; the table as Markdown. */
export async function benchRemote(options: RemoteOptions): Promise<string> {
  const { hostname, port } = new URL(options.baseUrl);
  if (!['127.0.0.1', 'localhost'].includes(hostname)) throw new Error('Load goes to servers on this machine only');
  const lines = ['| scenario | req/s | p50 ms | p99 ms | CPU ms | KB | errors |', '| --- |' + ' ---: |'.repeat(6)];
  for (const [name, scenario] of Object.entries(await scenariosOf(options))) {
    if (options.only && !options.only.includes(name)) continue;
    console.error(`bench: ${name}`);
    const { load, cpuMs } = await play(scenario, Number(port || 80), options);
    const figures = [load.rate.toFixed(0), load.p50Ms.toFixed(1), load.p99Ms.toFixed(1), cpuMs?.toFixed(3) ?? '–'];
    const errors = Object.entries(load.errors).map(([what, count]) => `${count} × ${what}`);
    lines.push(`| ${[name, ...figures, (load.bytes / 1_000).toFixed(1), errors.join(', ') || '0'].join(' | ')} |`);
  }
  return lines.join('\n');
}

async function scenariosOf({ baseUrl, token, reader }: RemoteOptions): Promise<Record<string, RemoteScenario>> {
  const headers = { host: new URL(baseUrl).host, authorization: `Bearer ${token}`, 'user-agent': 'svc bench' };
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(baseUrl + path, { headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as T;
  };
  const me = await ask<{ id: string; username: string }>('/api/v1/accounts/verify_credentials');
  const home = await ask<{ id: string; account: { id: string; acct: string } }[]>('/api/v1/timelines/home');
  if (home.length === 0) throw new Error('The home timeline of this account is empty');
  const accounts = [...new Set(home.map(({ account }) => account.id))];
  const get = (...paths: string[]) => paths.map((path) => requestBytes(path, headers));
  const page = (path: string) => ({ requests: get(path), isRight: Array.isArray });
  let count = 0;
  const posts = Array.from({ length: 20_000 }, () =>
    requestBytes('/api/v1/statuses', headers, { status: `Post number ${(count += 1)}`, visibility: 'public' }),
  );
  return {
    home: page('/api/v1/timelines/home'),
    public: page('/api/v1/timelines/public'),
    'account-statuses': {
      requests: get(...accounts.map((id) => `/api/v1/accounts/${id}/statuses`)),
      isRight: Array.isArray,
    },
    notifications: page('/api/v1/notifications'),
    status: { requests: get(...home.map(({ id }) => `/api/v1/statuses/${id}`)), isRight: has('content') },
    account: { requests: get(...accounts.map((id) => `/api/v1/accounts/${id}`)), isRight: has('acct') },
    lookup: { requests: get(`/api/v1/accounts/lookup?acct=${me.username}`), isRight: has('acct') },
    'verify-credentials': { requests: get('/api/v1/accounts/verify_credentials'), isRight: has('source') },
    instance: { requests: get('/api/v2/instance'), isRight: has('title') },
    webfinger: {
      requests: get(`/.well-known/webfinger?resource=acct:${me.username}@${headers.host}`),
      isRight: has('subject'),
    },
    ...(reader && {
      actor: { requests: [await signedGet(`${baseUrl}/users/${me.username}`, reader)], isRight: has('publicKey') },
    }),
    post: { requests: posts, connections: 4, isRight: has('id') },
  };
}

/** One request, sent again and again: servers verify the signature each time. */
async function signedGet(address: string, { keyId, file }: Reader): Promise<Buffer> {
  const url = new URL(address);
  const privateKey = createPrivateKey(await readFile(file));
  const headers = { accept: 'application/activity+json', 'user-agent': 'svc bench' };
  const signature = await new RequestSigner().sign(
    { method: 'GET', url, headers, body: undefined },
    { keyId, privateKey },
    'cavage',
  );
  return requestBytes(url.pathname, { host: url.host, ...headers, ...signature });
}

function has(field: string): (body: unknown) => boolean {
  return (body) => typeof body === 'object' && body !== null && field in body;
}

async function play(
  { requests, isRight, connections = CONNECTIONS }: RemoteScenario,
  port: number,
  { pids, seconds, signal }: RemoteOptions,
): Promise<{ load: LoadResult; cpuMs: number | undefined }> {
  let at = -1;
  const next = () => requests[(at = (at + 1) % requests.length)];
  const complaint = ({ body }: Answer) => (isRight(JSON.parse(body.toString())) ? undefined : 'another answer');
  const load = { port, connections, next, complaint, varies: true, signal };
  await runLoad({ ...load, seconds: seconds * WARM_UP });
  const before = cpuOfTree(...pids);
  const result = await runLoad({ ...load, seconds });
  signal.throwIfAborted();
  return {
    load: result,
    cpuMs: pids.length > 0 ? (cpuOfTree(...pids) - before) / Math.max(1, result.requests) : undefined,
  };
}
