import { hostOf, isApart } from './server-names.js';

/**
 * SQL: the names of the servers of all accounts, each once, as `name`. One look-up finds each name, so that it reads a row for
 * each server and not for each account. Index: accounts_hosts, accounts_hosts_apart.
 */
export const KNOWN_SERVERS = `
  with recursive ${distinct('domains', 'a.domain', 'a.domain is not null')},
  ${distinct('apart_hosts', hostOf('a'), isApart('a'))}
  select name from domains where name is not null union select name from apart_hosts where name is not null`;

/** SQL: a CTE with the values of an indexed expression of accounts, and a null at its end. */
function distinct(cte: string, value: string, condition: string): string {
  const least = (bound: string) => `(select ${value} from accounts a where ${condition}${bound} order by 1 limit 1)`;
  return `${cte} (name) as (
    ${least('')} union all
    select ${least(` and ${value} > ${cte}.name`)} from ${cte} where ${cte}.name is not null)`;
}
