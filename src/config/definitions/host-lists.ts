/** Hosts in a setting: names, or names with a reason. */
export type HostList = readonly (string | readonly [host: string, reason: string])[];

/** The names in a list of hosts, in lower case, with their reasons, which may be empty. */
export function hostReasons(hosts: HostList): (readonly [host: string, reason: string])[] {
  return hosts.map((each) => (typeof each === 'string' ? [each.toLowerCase(), ''] : [each[0].toLowerCase(), each[1]]));
}

/** Whether a list names a host, or a domain of it as `*.example`. A port counts only where the list names one. */
export function listsHost(hosts: HostList, host: string): boolean {
  const name = host.toLowerCase();
  const names = [name, name.replace(/:\d+$/, '')];
  return hostReasons(hosts).some(([listed]) =>
    names.some((each) => (listed.startsWith('*.') ? `.${each}`.endsWith(listed.slice(1)) : listed === each)),
  );
}
