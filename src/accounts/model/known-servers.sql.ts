import { hostOf, isApart, isHostApart } from './server-names.js';

/**
 * SQL: the names of the servers of all accounts, each once, as `name`. One look-up finds each name, so that it reads a row for
 * each server and not for each account. Index: accounts_hosts, accounts_hosts_apart.
 */
export const KNOWN_SERVERS = `
  with recursive ${distinct('domains', 'a.domain', 'a.domain is not null')},
  ${distinct('apart_hosts', hostOf('a'), isApart('a'))}
  select name from domains where name is not null union select name from apart_hosts where name is not null`;

/**
 * SQL: selects the `id` of accounts of a server, or of `any (…)` of several, that are not deleted. Passes over deleted ones,
 * of which there may be any number. Index: accounts_hosts_known, accounts_hosts_apart_known.
 */
export function knownAccountsOf(name: string, limit: string | number): string {
  const found = (condition: string) =>
    `(select a.id from accounts a where ${condition} and a.deleted_at is null limit ${limit})`;
  const isNamed = `a.domain = ${name}`;
  return `${found(isNamed)} union all ${found(`${isHostApart('a', name)} and not ${isNamed}`)} limit ${limit}`;
}

/** SQL: a CTE with the values of an indexed expression of accounts, and a null at its end. */
function distinct(cte: string, value: string, condition: string): string {
  const least = (bound: string) => `(select ${value} from accounts a where ${condition}${bound} order by 1 limit 1)`;
  return `${cte} (name) as (
    ${least('')} union all
    select ${least(` and ${value} > ${cte}.name`)} from ${cte} where ${cte}.name is not null)`;
}
