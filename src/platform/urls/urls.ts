import { isIP } from 'node:net';

/**
 * Longest host that is read, with its port, in UTF-16 units. Names of hosts have at most 253 characters, their labels 63:
 * a label that is not ASCII becomes no shorter when it is encoded.
 */
const MAX_HOST = 300;
const LONG_LABEL = /[^.。．｡]{64}/;
const BEYOND_ASCII = /[^\0-\x7F]/;

/**
 * Where the URL parser finds a host: behind the scheme and any slashes, of either kind, or behind two slashes where a base
 * gives the scheme. Other schemes have no names of hosts.
 */
const AUTHORITY = /^[\0-\x20]*(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/?#\\]*)/i;
/** The parser leaves these out, wherever they stand. */
const LEFT_OUT = /[\t\n\r]+/g;

/**
 * Reads a URL that somebody else wrote: another server, or a person. Null when it is none, also when its host is longer than
 * any that exists: the parser's work grows with the square of a label that is not ASCII (threat F13). What it returns it can
 * read again.
 */
export function parseUrl(text: string, base?: string): URL | null {
  if (hasLongHost(text)) return null;
  const url = URL.parse(text, base);
  return url !== null && hasLongHost(url.href) ? null : url;
}

/** The URL of a text that is one: an address of this server, of a setting, or one that was checked before it was stored. */
export function knownUrl(text: string, base?: string | URL): URL {
  return new URL(text, base);
}

function hasLongHost(text: string): boolean {
  const [, authority = ''] = AUTHORITY.exec(text.replace(LEFT_OUT, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length > MAX_HOST || (BEYOND_ASCII.test(host) && LONG_LABEL.test(host));
}

/** A host as it stands before a port: an IPv6 address in brackets. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
