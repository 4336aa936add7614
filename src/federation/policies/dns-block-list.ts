import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/index.js';
import { Asker, bracketed, entryLimit, hasCode } from '../../platform/index.js';
import type { ServerNames } from './policy.js';

const TIMEOUT = { timeout: 500, tries: 2 };
const REMEMBERED = 10_000;
const REMEMBERED_MS = 3_600_000;
/** How long a host counts as not listed after the name server failed. */
const FAILED_MS = 60_000;
const NOT_LISTED = ['ENOTFOUND', 'ENODATA'];
/** What a zone answers for hosts on it; other addresses, and 127.255.255.x, are no entries of the list (RFC 5782). */
const ENTRY = /^127\.(?!255\.255\.)/;

/** The block zone of the domain name system that an operator chose. A host is on it whose name has an address there. */
@Injectable()
export class DnsBlockList {
  private readonly listed = new LRUCache<string, boolean>({ ...entryLimit(REMEMBERED), ttl: REMEMBERED_MS });

  constructor(
    private readonly settings: Settings,
    private readonly asker: Asker,
  ) {}

  /** Whether one of the names of a server is listed; no while the zone does not answer. Throws MustWait. */
  async lists(servers: ServerNames): Promise<boolean> {
    const zone = this.settings.get('mrf_dnsrbl.zone');
    if (zone === '') return false;
    const hosts = servers.map((name) => name.replace(/:\d+$/, '')).filter((host) => isIP(host) === 0);
    return (await Promise.all(hosts.map((host) => this.isListed(`${host}.${zone}`)))).includes(true);
  }

  private async isListed(name: string): Promise<boolean> {
    const [nameserver, port] = [this.settings.get('mrf_dnsrbl.nameserver'), this.settings.get('mrf_dnsrbl.port')];
    const key = `${name} ${nameserver} ${port}`;
    const known = this.listed.get(key);
    if (known !== undefined) return known;
    this.asker.requireMayWait();
    try {
      const resolver = new Resolver(TIMEOUT);
      resolver.setServers([`${bracketed(nameserver)}:${port}`]);
      const isListed = (await resolver.resolve4(name)).some((address) => ENTRY.test(address));
      this.listed.set(key, isListed);
      return isListed;
    } catch (error) {
      const ttl = hasCode(error, ...NOT_LISTED) ? REMEMBERED_MS : FAILED_MS;
      this.listed.set(key, false, { ttl });
      return false;
    }
  }
}
