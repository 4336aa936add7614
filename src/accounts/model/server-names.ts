import { parseUrl } from '../../platform/index.js';
import type { AccountRow } from './account.rows.js';

/**
 * The names of the server of an account, the one definition in code and in SQL: the domain of its handle and the host of
 * its address, which differ when WebFinger of one leads to the other. A rule about a server counts for either name; a
 * list of accepted servers has to have both.
 */

/** The names of the server of a remote account, with their ports; none for a local one. */
export function serverNamesOf({ apId: uri, domain }: Pick<AccountRow, 'apId' | 'domain'>): readonly string[] {
  if (domain === null) return [];
  const host = parseUrl(uri)?.host ?? domain;
  return host === domain ? [domain] : [domain, host];
}

/** SQL: the host of the address of an account `account`. */
export const hostOf = (account: string) => `lower(split_part(${account}.ap_id, '/', 3))`;

/** SQL: {@link serverNamesOf} a row of `accounts`, an array with nulls, of which PostgreSQL knows that it is short. */
export function serverNames(account: string): string {
  return `array[${account}.domain, case when ${isApart(account)} then ${hostOf(account)} end]`;
}

/** SQL: whether an account belongs to a server, or to `any (…)` of several. Index: accounts_hosts, accounts_hosts_apart. */
export function isOfServer(account: string, name: string): string {
  return `(${account}.domain = ${name} or ${isHostApart(account, name)})`;
}

/** SQL: whether a server is another than the domain of the handle, and has the account. Index: accounts_hosts_apart. */
export function isHostApart(account: string, name: string): string {
  return `(${isApart(account)} and ${hostOf(account)} = ${name})`;
}

/** Written like the condition of the partial index; null for a local account. */
export const isApart = (account: string) => `${hostOf(account)} <> ${account}.domain`;
