import { domainToASCII } from 'node:url';

/** A name and a port; no user, path, escape or bracket that a URL parser would read as something else. */
const HOST = /^([^\s:/?#@[\]\\%<>^|]+)(?::(\d{1,5}))?$/;
const LABELS = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const MAX_NAME = 253;
const MAX_PORT = 65_535;

/**
 * A host in its stored form: punycode, lower case, with a port if given. `undefined` for an invalid server name, also
 * for IPv6 literals and names with a trailing dot.
 */
export function normalizeDomain(host: string): string | undefined {
  const [, written = '', port] = HOST.exec(host) ?? [];
  if (written.length > MAX_NAME) return undefined;
  const name = domainToASCII(written);
  if (name.length > MAX_NAME || !LABELS.test(name)) return undefined;
  if (port === undefined) return name;
  const number = Number(port);
  return number > 0 && number <= MAX_PORT ? `${name}:${number}` : undefined;
}

/**
 * The stored form of a host that somebody looks for, also of its beginning. ASCII is only put in lower case:
 * {@link normalizeDomain} reads `10` as an address.
 */
export function searchedDomain(text: string): string {
  const isAscii = /^\p{ASCII}*$/u.test(text);
  return (isAscii ? undefined : normalizeDomain(text)) ?? text.toLowerCase();
}
