import { parseUrl } from '../../platform/index.js';

/** Accounts in a setting, by their addresses. The hosts of addresses have no case. */
export class ListedActors {
  /** The lists that were read: settings are asked for every activity. */
  private static readonly known = new WeakMap<readonly string[], ListedActors>();

  private readonly addresses: ReadonlySet<string>;
  private readonly hosts: ReadonlySet<string>;

  private constructor(listed: readonly string[]) {
    this.addresses = new Set(listed.map(normalized));
    this.hosts = new Set(listed.map((uri) => parseUrl(uri)?.host ?? ''));
  }

  static in(listed: readonly string[]): ListedActors {
    const actors = this.known.get(listed) ?? new ListedActors(listed);
    this.known.set(listed, actors);
    return actors;
  }

  has(uri: string): boolean {
    return this.addresses.has(uri) || this.addresses.has(normalized(uri));
  }

  /** Whether it names an account of a host. */
  hasAnyOf(hosts: readonly string[]): boolean {
    return hosts.some((host) => this.hosts.has(host));
  }
}

function normalized(uri: string): string {
  return parseUrl(uri)?.href ?? uri;
}
