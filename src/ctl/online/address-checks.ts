import { lookup, Resolver } from 'node:dns/promises';
import { connect } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../platform/index.js';
import type { Target } from './online.js';
import { reasonOf, send } from './requests.js';

const TIME_MS = 10_000;
const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

/** The address itself: what other servers can reach at all. */
export function addressProblems({ baseUrl }: Target): string[] {
  return [
    ...(baseUrl.protocol === 'https:' ? [] : [`BASE_URL is ${baseUrl.origin}: other servers want https://`]),
    ...(ipaddr.isValid(baseUrl.hostname.replace(/[[\]]/g, '')) || !baseUrl.hostname.includes('.')
      ? [`${baseUrl.hostname} is no public host name`]
      : []),
  ];
}

/** What DNS servers say, without the hosts file of this machine. */
export async function dnsProblems({ baseUrl: { hostname } }: Target): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const found = await Promise.all([
    resolver.resolve4(hostname).catch(() => []),
    resolver.resolve6(hostname).catch(() => []),
  ]);
  const addresses = found.flat();
  if (addresses.length === 0) {
    const here = await lookup(hostname).catch(() => undefined);
    return [`${hostname} has no A or AAAA record${here ? `: only this machine takes it for ${here.address}` : ''}`];
  }
  return addresses
    .filter((address) => !isPublicAddress(address))
    .map((address) => `${hostname} points to ${address}, which nobody else can reach`);
}

/** The certificate, as a browser judges it. */
export async function tlsProblems({ baseUrl }: Target): Promise<string[]> {
  if (baseUrl.protocol !== 'https:') return ['there is none: put a reverse proxy with TLS in front'];
  const { hostname } = baseUrl;
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const socket = connect({
    host: hostname,
    port: Number(baseUrl.port || 443),
    servername: hostname,
    rejectUnauthorized: false,
  });
  socket.setTimeout(TIME_MS, () => resolve(['no answer in time']));
  socket.once('error', (error) => resolve([reasonOf(error)]));
  socket.once('secureConnect', () => {
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    if (!socket.authorized) resolve([`the certificate is not valid: ${reasonOf(socket.authorizationError)}`]);
    else resolve(days < WARN_DAYS ? [`the certificate ends in ${days} days`] : []);
  });
  return promise.finally(() => socket.destroy());
}

/** People type addresses without https://. */
export async function plainHttpProblems({ baseUrl }: Target): Promise<string[]> {
  if (baseUrl.protocol !== 'https:' || baseUrl.port !== '') return [];
  const plain = new URL(`http://${baseUrl.host}/`);
  try {
    const { status, headers } = await send(plain, { timeMs: TIME_MS });
    const leadsOn = status >= 301 && status <= 308 && String(headers.location).startsWith('https://');
    return leadsOn ? [] : [`${plain.href} answers ${status} instead of leading to https`];
  } catch (error) {
    return [`${plain.href} does not answer: ${reasonOf(error)}`];
  }
}
