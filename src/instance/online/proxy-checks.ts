import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { WebSocket } from 'ws';
import { knownUrl } from '../../platform/index.js';
import { phrase, Phrase, readForeignJson } from '../../common/index.js';
import type { Probe } from '../health/probe.shape.js';
import { type Problem, problem } from './finding.js';
import type { Target } from './target.js';
import { type Answer, reasonOf, send } from './requests.js';

const TIME_MS = 10_000;
/** An address that nobody has (RFC 5737): what a client could write into X-Forwarded-For. */
const FORGED = '192.0.2.77';
const PART = Buffer.alloc(65_536, 'x');
const SIGNATURE = 'keyId="doctor",headers="(request-target) host date digest",signature="c2lnbmVk"';

/** Asks this very server, through its public address, how a request arrives. */
export async function askProbe({ baseUrl, ticket, signal }: Target, bytes: number): Promise<Probe | Phrase> {
  const headers = {
    authorization: `Bearer ${ticket()}`,
    'content-type': 'application/octet-stream',
    'content-length': String(bytes),
    'x-forwarded-for': FORGED,
    signature: SIGNATURE,
    digest: digestOf(baseUrl),
  };
  try {
    const sent = { method: 'POST', headers, body: zeros(bytes), signal } as const;
    const answer = await send(knownUrl('/health/probe', baseUrl), sent);
    const { host } = baseUrl;
    const { status } = answer;
    return probeIn(answer) ?? phrase('{host} answers {status}, and not as this server does', { host, status });
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
export function forwardedProblems({ baseUrl }: Target, probe: Probe): Problem[] {
  const { client, peer, forwarded_for: forwarded } = probe;
  const hops = forwarded.split(',').map((hop) => hop.trim());
  const isBehind = !isDirect(baseUrl, probe);
  if (!isBehind && client === peer) return [];
  if (isBehind && hops.at(-1) === FORGED)
    return [problem('the proxy passes on X-Forwarded-For as the client wrote it: let it add the address')];
  if (!forwarded.includes(',') && client === peer)
    return [problem('the proxy sends no X-Forwarded-For: all clients count as one')];
  if (client === peer)
    return [problem(phrase('TRUSTED_PROXIES does not name {peer}: all clients count as one', { peer }))];
  const isFromHere = isLoopback(hops.at(-1) ?? ''); // the name leads to this machine itself: nothing can be told
  const isChosen = client === FORGED && !isFromHere;
  return isChosen ? [problem('TRUSTED_PROXIES names too many: clients can choose their address')] : [];
}

/** Whether there is no proxy: this process serves no TLS, and it listens at the port of the public address. */
function isDirect({ protocol, port }: URL, probe: Probe): boolean {
  return protocol === 'http:' && probe.port === Number(port || 80);
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** What the signatures of other servers cover. */
export function headerProblems({ baseUrl }: Target, { host, signature, digest }: Probe): Problem[] {
  const wanted = baseUrl.host;
  const other = phrase('the proxy sends "Host: {host}" instead of {wanted}: signatures fail', { host, wanted });
  const changed = (header: string) => problem(phrase('the proxy changes or drops the header {header}', { header }));
  return [
    ...(host === wanted ? [] : [problem(other)]),
    ...(signature === SIGNATURE ? [] : [changed('Signature')]),
    ...(digest === digestOf(baseUrl) ? [] : [changed('Digest')]),
  ];
}

/** The largest file that people may upload here. */
export async function uploadProblems(target: Target): Promise<Problem[]> {
  const { uploadLimit: bytes } = target;
  const answer = await askProbe(target, bytes);
  if (!(answer instanceof Phrase) && answer.bytes === bytes) return [];
  const reason = answer instanceof Phrase ? answer : phrase('{bytes} arrived', { bytes: answer.bytes });
  return [problem(phrase('{bytes} bytes (instance.upload_limit) do not arrive: {reason}', { bytes, reason }))];
}

/** Live streams of apps. Whether strangers may read one is another question. */
export async function webSocketProblems({ baseUrl }: Target): Promise<Problem[]> {
  const { promise, resolve } = Promise.withResolvers<Problem[]>();
  const url = knownUrl('/api/v1/streaming?stream=public', baseUrl.origin.replace(/^http/, 'ws'));
  const socket = new WebSocket(url, { handshakeTimeout: TIME_MS, rejectUnauthorized: false });
  socket.on('open', () => resolve([]));
  socket.on('error', (error) => resolve([problem(reasonOf(error))]));
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
    if (statusCode === 426) resolve([problem('the proxy does not pass the upgrade on (Upgrade, Connection)')]);
    else resolve(isRefusal(statusCode) ? [] : [otherAnswer(statusCode)]);
  });
  return promise.finally(() => socket.terminate());
}

/** Event streams begin with a comment; a proxy that waits for more keeps it. */
export async function eventStreamProblems({ baseUrl, signal }: Target): Promise<Problem[]> {
  try {
    const url = knownUrl('/api/v1/streaming/public', baseUrl);
    const { status } = await send(url, { firstBytes: true, timeMs: TIME_MS, signal });
    return status === 200 || isRefusal(status) ? [] : [otherAnswer(status)];
  } catch (error) {
    const reason = reasonOf(error);
    return [problem(phrase('nothing comes through (does the proxy collect answers?): {reason}', { reason }))];
  }
}

const otherAnswer = (status: number): Problem => problem(phrase('the answer is {status}', { status }));
const isRefusal = (status: number): boolean => status === 401 || status === 403;
