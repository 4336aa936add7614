import { ForwardOnly } from '../forward-only.js';

const HOST = `lower(split_part(ap_id, '/', 3))`;

/**
 * Finds the accounts of a server whose handles name another domain: hardly any, so the index is small. With the statistics
 * PostgreSQL knows that, also where the index is one of several ways to find an account.
 */
export class ServerNames1764000145000 extends ForwardOnly {
  readonly name = 'ServerNames1764000145000';
  protected readonly statements = `
    create index accounts_hosts_apart on accounts (${HOST}) where ${HOST} <> domain;
    create statistics accounts_host on (${HOST}) from accounts;
    do $$ begin if exists (select from accounts) then analyze accounts; end if; end $$;`;
}
