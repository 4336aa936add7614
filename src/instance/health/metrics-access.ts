import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { sameSecret } from '../../platform/index.js';

/** Headers that proxies add, some of them alone: behind a proxy, every request seems to be local. */
const PROXY_HEADER =
  /^(forwarded|via|cdn-loop|x-forwarded(-.+)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/** A local name in a Host header: a page elsewhere cannot make a browser send it. */
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request may read the metrics: it is local without a proxy, or has the token. An empty token grants
 * nothing (threat H20).
 */
export function mayReadMetrics(request: IncomingMessage, token: string): boolean {
  return isLocal(request) || (token !== '' && sameSecret(bearer(request), token));
}

function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  return LOCAL_HOST.test(headers.host ?? '') && !Object.keys(headers).some((name) => PROXY_HEADER.test(name));
}

/** The token of a request; empty without one. */
export function bearer({ headers }: IncomingMessage): string {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}
