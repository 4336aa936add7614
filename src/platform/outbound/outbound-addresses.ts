import { type LookupAddress, promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bracketed, parseUrl } from '../urls/urls.js';
import { OutboundError } from './outbound-error.js';

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** The only IPv6 block with global unicast addresses (RFC 4291); all others are local, obsolete or reserved. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Longest address, or redirect, that is read, in UTF-16 units; those of emoji packs may have 16,384 characters. */
const MAX_URL = 32_768;

/** A resolver reads the list of name servers when it is made, and never again. */
const RESOLVER_MS = 60_000;

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * Whether the address belongs to the public internet: not loopback, private, link-local, multicast, reserved, for
 * documentation, nor a form of IPv6 that wraps an IPv4 address (RFC 6890 and the registries it started).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

/**
 * Decides the targets of outbound requests: public addresses over https, and the operator's list. An entry is a host
 * name, an address, or either with a port (`localhost`, `10.0.0.5`, `[::1]:4001`): a URL with that host may be plain
 * http and resolve to any address; a listed address without a port may also be the address of another name.
 */
export class AddressRules {
  /** Replaces the system's name resolution. */
  resolve: Resolve | undefined;

  private readonly askNameServers = nameServers();
  private readonly listed: ReadonlySet<string>;

  constructor(listed: readonly string[]) {
    this.listed = new Set(listed.map((entry) => bracketed(entry.toLowerCase())));
  }

  /**
   * Reads a URL, or a redirect from `base`, and normalises it. Throws an {@link OutboundError} when it may not be
   * fetched: too long, not https, with credentials, or with a forbidden address as its host, in any spelling.
   */
  target(text: string, base?: URL): URL {
    const url = text.length <= MAX_URL ? parseUrl(text, base?.href) : null;
    if (!url || !this.isFetchable(url)) {
      throw new OutboundError(base ? 'redirect' : 'bad-url', 'The URL is not one to fetch');
    }
    url.hash = '';
    url.hostname = url.hostname.replace(/\.$/, '');
    const address = unbracketed(url.hostname);
    if (isIP(address) !== 0 && !this.isListed(url)) this.check(address);
    return url;
  }

  /**
   * The look-up for connections to the host of this URL. It returns only checked addresses, so that a second DNS answer
   * cannot lead elsewhere.
   */
  lookupFor(url: URL): LookupFunction {
    return (host, options, callback) => {
      this.addressesOf(url, host).then(
        (addresses) => {
          if (options.all) callback(null, addresses);
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error('look-up failed'), ''),
      );
    };
  }

  private async addressesOf(url: URL, host: string): Promise<LookupAddress[]> {
    const isListed = this.isListed(url);
    const resolve = this.resolve ?? (isListed ? askSystem : this.askNameServers);
    const addresses = await resolve(host);
    if (isListed) return addresses;
    if (addresses.length === 0) throw new OutboundError('network', 'The host name has no address');
    for (const { address } of addresses) this.check(address);
    return addresses;
  }

  private check(address: string): void {
    if (isPublicAddress(address) || this.listed.has(bracketed(address))) return;
    throw new OutboundError('refused-address', `The address ${address} is not public`);
  }

  private isFetchable(url: URL): boolean {
    if (url.username !== '' || url.password !== '') return false;
    if (url.hostname === '' || url.hostname.endsWith('..')) return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && this.isListed(url));
  }

  private isListed(url: URL): boolean {
    const host = url.hostname.replace(/\.$/, '');
    const port = url.port || DEFAULT_PORTS[url.protocol];
    return this.listed.has(host) || this.listed.has(`${host}:${port}`);
  }
}

/** Only the operating system knows names such as `localhost`. */
function askSystem(host: string): Promise<LookupAddress[]> {
  return dns.lookup(host, { all: true });
}

/**
 * Asks the name servers without the thread pool: with the system's look-up, slow foreign name servers would block it,
 * and with it files, compression and password hashes.
 */
function nameServers(): Resolve {
  const open = () => ({ names: new dns.Resolver({ timeout: 2500, tries: 2 }), openedAt: performance.now() });
  let resolver = open();
  return async (host) => {
    if (performance.now() - resolver.openedAt >= RESOLVER_MS) resolver = open();
    const { names } = resolver;
    const [v4, v6] = await Promise.allSettled([names.resolve4(host), names.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...found(v4, 4), ...found(v6, 6)];
  };
}

function found(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
