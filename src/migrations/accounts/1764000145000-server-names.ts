import { ForwardOnly } from '../forward-only.js';

/** Finds the accounts of a server whose handles name another domain: hardly any, so the index is small. */
export class ServerNames1764000145000 extends ForwardOnly {
  readonly name = 'ServerNames1764000145000';
  protected readonly statements = `
    create index accounts_hosts_apart on accounts (lower(split_part(ap_id, '/', 3)))
      where lower(split_part(ap_id, '/', 3)) <> domain;`;
}
