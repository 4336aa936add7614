import { ForwardOnly } from '../forward-only.js';

/**
 * For the public posts of one other server, however few they are: the host stands in the address of a post, so no column has
 * to be filled. `accounts_hosts` leads from a domain to its hosts, and does what `accounts_domain` did. Nothing is posted while
 * they are built, a second or two for each million of posts of others.
 */
export class PublicHosts1763600045100 extends ForwardOnly {
  readonly name = 'PublicHosts1763600045100';
  protected readonly statements = `
    create index statuses_public_host on statuses (split_part(uri, '/', 3), id desc)
      where visibility = 0 and reblog_of_id is null and not local;
    create index accounts_hosts on accounts (domain, split_part(ap_id, '/', 3)) where domain is not null;
    drop index accounts_domain;
    do $$ begin if exists (select from statuses) then analyze statuses, accounts; end if; end $$;
  `;
}
