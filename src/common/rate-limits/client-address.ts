import type { IncomingMessage } from 'node:http';
import { isWithin, limitedPart, networkAround, parseAddress, parseRange } from '../../platform/index.js';

/** This very machine. */
const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

/**
 * The proxies to believe where an address guards no credentials. Where none is named, one on this machine is believed, so
 * that its clients do not share one count.
 */
export function believedProxies(named: readonly string[]): readonly string[] {
  return named.length === 0 ? LOOPBACK : named;
}

/**
 * The address a request comes from: that of the peer, or, behind trusted proxies, the last hop in `X-Forwarded-For` that is
 * not one of them. What a client writes into that header itself never counts (threat H15). An IPv6 client is its /64
 * network, which is what one customer gets.
 * @param trusted addresses and CIDR ranges of proxies
 */
export function clientAddress(request: IncomingMessage, trusted: readonly string[]): string {
  let address = parseAddress(request.socket.remoteAddress ?? '');
  if (address === undefined) return 'unknown';
  const ranges = trusted.map(parseRange);
  for (const hop of forwardedHops(request)) {
    if (!isWithin(address, ranges)) break;
    const before = parseAddress(hop);
    if (before === undefined) break;
    address = before;
  }
  return limitedPart(address);
}

/** The address that a connection comes from, unless it is one of the trusted proxies; undefined when it is closed. */
export function untrustedPeer(request: IncomingMessage, trusted: readonly string[]): string | undefined {
  const peer = parseAddress(request.socket.remoteAddress ?? '');
  return peer === undefined || isWithin(peer, trusted.map(parseRange)) ? undefined : peer.toString();
}

/** The network around a {@link clientAddress} that one attacker may well hold as a whole: a /24 of IPv4, a /48 of IPv6. */
export function clientNetwork(clientAddress: string): string {
  const address = parseAddress(clientAddress.split('/', 1)[0] ?? '');
  if (address === undefined) return clientAddress;
  return networkAround(address, address.kind() === 'ipv4' ? 24 : 48);
}

/** The hops of `X-Forwarded-For`, the nearest first. */
function forwardedHops({ headers }: IncomingMessage): string[] {
  const header = headers['x-forwarded-for'] ?? '';
  return String(header).split(',').reverse();
}
