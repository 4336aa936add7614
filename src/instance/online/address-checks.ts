import { lookup, Resolver } from 'node:dns/promises';
import { connect } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { phrase } from '../../common/index.js';
import { isPublicAddress, knownUrl } from '../../platform/index.js';
import { type Problem, problem, warning } from './finding.js';
import type { Target } from './target.js';
import { reasonOf, send } from './requests.js';

const TIME_MS = 10_000;
const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

/** The address itself: what other servers can reach at all. */
export function addressProblems({ baseUrl }: Target): Problem[] {
  const { origin: url, hostname: host, protocol } = baseUrl;
  const isName = !ipaddr.isValid(host.replace(/[[\]]/g, '')) && host.includes('.');
  return [
    ...(protocol === 'https:' ? [] : [problem(phrase('BASE_URL is {url}: other servers want https://', { url }))]),
    ...(isName ? [] : [problem(phrase('{host} is no public host name', { host }))]),
  ];
}

/** What DNS servers say, without the hosts file of this machine. */
export async function dnsProblems({ baseUrl: { hostname: host } }: Target): Promise<Problem[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const found = await Promise.all([resolver.resolve4(host).catch(() => []), resolver.resolve6(host).catch(() => [])]);
  const addresses = found.flat();
  if (addresses.length === 0) {
    const here = await lookup(host).catch(() => undefined);
    if (!here) return [problem(phrase('{host} has no A or AAAA record', { host }))];
    const { address } = here;
    return [
      problem(phrase('{host} has no A or AAAA record: only this machine takes it for {address}', { host, address })),
    ];
  }
  return addresses
    .filter((address) => !isPublicAddress(address))
    .map((address) => problem(phrase('{host} points to {address}, which nobody else can reach', { host, address })));
}

/** The certificate, as a browser judges it. */
export async function tlsProblems({ baseUrl }: Target): Promise<Problem[]> {
  if (baseUrl.protocol !== 'https:') return [problem('there is none: put a reverse proxy with TLS in front')];
  const { hostname } = baseUrl;
  const { promise, resolve } = Promise.withResolvers<Problem[]>();
  const socket = connect({
    host: hostname,
    port: Number(baseUrl.port || 443),
    servername: hostname,
    rejectUnauthorized: false,
  });
  socket.setTimeout(TIME_MS, () => resolve([problem('no answer in time')]));
  socket.once('error', (error) => resolve([problem(reasonOf(error))]));
  socket.once('secureConnect', () => {
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    if (!socket.authorized) {
      const reason = reasonOf(socket.authorizationError);
      resolve([problem(phrase('the certificate is not valid: {reason}', { reason }))]);
    } else resolve(days < WARN_DAYS ? [warning(phrase('the certificate ends in {days} days', { days }))] : []);
  });
  return promise.finally(() => socket.destroy());
}

/** People type addresses without https://. */
export async function plainHttpProblems({ baseUrl, signal }: Target): Promise<Problem[]> {
  if (baseUrl.protocol !== 'https:' || baseUrl.port !== '') return [];
  const url = `http://${baseUrl.host}/`;
  try {
    const { status, headers } = await send(knownUrl(url), { timeMs: TIME_MS, signal });
    const leadsOn = status >= 301 && status <= 308 && String(headers.location).startsWith('https://');
    return leadsOn ? [] : [warning(phrase('{url} answers {status} instead of leading to https', { url, status }))];
  } catch (error) {
    return [warning(phrase('{url} does not answer: {reason}', { url, reason: reasonOf(error) }))];
  }
}
