import { ForwardOnly } from '../forward-only.js';

const HOST = `lower(split_part(ap_id, '/', 3))`;

/** Finds the accounts of a server that are not deleted: of a server that came back there may be many deleted ones before them. */
export class KnownHosts1764000336700 extends ForwardOnly {
  readonly name = 'KnownHosts1764000336700';
  protected readonly statements = `
    create index accounts_hosts_known on accounts (domain) where domain is not null and deleted_at is null;
    create index accounts_hosts_apart_known on accounts (${HOST}) where ${HOST} <> domain and deleted_at is null;`;
}
