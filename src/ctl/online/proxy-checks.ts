import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { WebSocket } from 'ws';
import { readForeignJson } from '../../common/index.js';
import type { Probe } from '../../instance/index.js';
import type { Target } from './online.js';
import { type Answer, reasonOf, send } from './requests.js';

const TIME_MS = 10_000;
/** An address that nobody has (RFC 5737): what a client could write into X-Forwarded-For. */
const FORGED = '192.0.2.77';
const PART = Buffer.alloc(65_536, 'x');
const SIGNATURE = 'keyId="doctor",headers="(request-target) host date digest",signature="c2lnbmVk"';

/** Asks this very server, through its public address, how a request arrives. */
export async function askProbe({ baseUrl, ticket }: Target, bytes: number): Promise<Probe | string> {
  const headers = {
    authorization: `Bearer ${ticket()}`,
    'content-type': 'application/octet-stream',
    'content-length': String(bytes),
    'x-forwarded-for': FORGED,
    signature: SIGNATURE,
    digest: digestOf(baseUrl),
  };
  try {
    const answer = await send(new URL('/health/probe', baseUrl), { method: 'POST', headers, body: zeros(bytes) });
    return probeIn(answer) ?? `${baseUrl.host} answers ${answer.status}, and not as this server does`;
  } catch (error) {
    return reasonOf(error);
  }
}

function probeIn({ status, text }: Answer): Probe | undefined {
  if (status !== 200) return undefined;
  try {
    const found = readForeignJson(text) as Partial<Probe> | null;
    return typeof found?.peer === 'string' ? (found as Probe) : undefined;
  } catch {
    return undefined;
  }
}

function* parts(bytes: number) {
  for (let left = bytes; left > 0; left -= PART.length) yield PART.subarray(0, Math.min(left, PART.length));
}
const zeros = (bytes: number): Readable => Readable.from(parts(bytes));
const digestOf = ({ host }: URL): string => `SHA-256=${hash('sha256', host, 'base64')}`;

/** Whether limits count the right clients. */
export function forwardedProblems({ client, peer, forwarded_for: forwarded }: Probe): string[] {
  const hops = forwarded.split(',').map((hop) => hop.trim());
  if (hops.at(-1) === FORGED)
    return ['the proxy passes on X-Forwarded-For as the client wrote it: let it add the address'];
  if (!forwarded.includes(',') && client === peer)
    return ['the proxy sends no X-Forwarded-For: all clients count as one'];
  if (client === peer) return [`TRUSTED_PROXIES does not name ${peer}: all clients count as one`];
  const isFromHere = isLoopback(hops.at(-1) ?? ''); // the name leads to this machine itself: nothing can be told
  if (client === FORGED && !isFromHere) return ['TRUSTED_PROXIES names too many: clients can choose their address'];
  return [];
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** What the signatures of other servers cover. */
export function headerProblems({ baseUrl }: Target, { host, signature, digest }: Probe): string[] {
  return [
    ...(host === baseUrl.host ? [] : [`the proxy sends "Host: ${host}" instead of ${baseUrl.host}: signatures fail`]),
    ...(signature === SIGNATURE ? [] : ['the proxy changes or drops the header Signature']),
    ...(digest === digestOf(baseUrl) ? [] : ['the proxy changes or drops the header Digest']),
  ];
}

/** The largest file that people may upload here. */
export async function uploadProblems(target: Target): Promise<string[]> {
  const { uploadLimit } = target;
  const answer = await askProbe(target, uploadLimit);
  if (typeof answer === 'object' && answer.bytes === uploadLimit) return [];
  const reason = typeof answer === 'string' ? answer : `${answer.bytes} arrived`;
  return [`${uploadLimit} bytes (instance.upload_limit) do not arrive: ${reason}`];
}

/** Live streams of apps. Whether strangers may read one is another question. */
export async function webSocketProblems({ baseUrl }: Target): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const url = new URL('/api/v1/streaming?stream=public', baseUrl.origin.replace(/^http/, 'ws'));
  const socket = new WebSocket(url, { handshakeTimeout: TIME_MS, rejectUnauthorized: false });
  socket.on('open', () => resolve([]));
  socket.on('error', (error) => resolve([reasonOf(error)]));
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
    if (statusCode === 426) resolve(['the proxy does not pass the upgrade on (Upgrade, Connection)']);
    else resolve(isRefusal(statusCode) ? [] : [`the answer is ${statusCode}`]);
  });
  return promise.finally(() => socket.terminate());
}

/** Event streams begin with a comment; a proxy that waits for more keeps it. */
export async function eventStreamProblems({ baseUrl }: Target): Promise<string[]> {
  try {
    const url = new URL('/api/v1/streaming/public', baseUrl);
    const { status } = await send(url, { firstBytes: true, timeMs: TIME_MS });
    return status === 200 || isRefusal(status) ? [] : [`the answer is ${status}`];
  } catch (error) {
    return [`nothing comes through (does the proxy collect answers?): ${reasonOf(error)}`];
  }
}

const isRefusal = (status: number): boolean => status === 401 || status === 403;
