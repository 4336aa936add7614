import type { IncomingMessage } from 'node:http';
import { isWithin, limitedPart, networkAround, parseAddress, parseRange } from '../../platform/index.js';

/** This machine. */
const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

/**
 * The trusted proxies for limits that guard no credentials: the configured ones, or a proxy on this machine, so that its
 * clients do not share one count.
 */
export function trustedProxiesOrLoopback(configured: readonly string[]): readonly string[] {
  return configured.length === 0 ? LOOPBACK : configured;
}

/**
 * The address of a request: that of the peer, or, behind trusted proxies, the last hop in `X-Forwarded-For` that is not
 * one of them. Entries written by the client never count (threat H15). An IPv6 client is its /64 network, the
 * allocation of one customer.
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

/** The address of a connection, unless it is a trusted proxy; undefined when it is closed. */
export function untrustedPeer(request: IncomingMessage, trusted: readonly string[]): string | undefined {
  const peer = parseAddress(request.socket.remoteAddress ?? '');
  return peer === undefined || isWithin(peer, trusted.map(parseRange)) ? undefined : peer.toString();
}

/** The network around a {@link clientAddress} that one attacker may control: a /24 of IPv4, a /48 of IPv6. */
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
