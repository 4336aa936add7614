/** Hosts in a setting: names, or names with a reason. */
export type HostList = readonly (string | readonly [host: string, reason: string])[];

/** The names in a list of hosts, in lower case, with their reasons, which may be empty. */
export function hostReasons(hosts: HostList): (readonly [host: string, reason: string])[] {
  return hosts.map((each) => (typeof each === 'string' ? [each.toLowerCase(), ''] : [each[0].toLowerCase(), each[1]]));
}

/** The entries of each list: settings are asked for every activity. */
const known = new WeakMap<HostList, ReadonlySet<string>>();

function entriesOf(hosts: HostList): ReadonlySet<string> {
  const entries = known.get(hosts) ?? new Set(hostReasons(hosts).map(([listed]) => listed));
  known.set(hosts, entries);
  return entries;
}

/** Whether a list has this very entry. */
export function hasEntry(hosts: HostList, entry: string): boolean {
  return entriesOf(hosts).has(entry.toLowerCase());
}

/** Whether a list names a host, or a domain of it as `*.example`. A port counts only where the list names one. */
export function listsHost(hosts: HostList, host: string): boolean {
  if (hosts.length === 0) return false;
  const entries = entriesOf(hosts);
  return entriesNaming(host).some((entry) => entries.has(entry));
}

/** The entries that name a host: itself and its domains, with its port and without. */
function entriesNaming(host: string): string[] {
  const name = host.toLowerCase();
  return [...new Set([name, name.replace(/:\d+$/, '')])].flatMap((each) => {
    const labels = each.split('.');
    return [each, ...labels.map((_label, at) => `*.${labels.slice(at).join('.')}`)];
  });
}
