import { ForwardOnly } from '../forward-only.js';

/** Networks that accounts signed in from, and when the owner of an account was last told of guessed passwords. */
export class KnownNetworks1763700030002 extends ForwardOnly {
  readonly name = 'KnownNetworks1763700030002';
  protected readonly statements = `
    create table known_networks (
      account_id text collate "C" not null references accounts (id) on delete cascade,
      network_hash bytea not null,
      last_used_at timestamptz not null default now(),
      primary key (account_id, network_hash)
    );
    create index known_networks_last_used on known_networks (last_used_at);

    alter table users add column guessing_notified_at timestamptz;
  `;
}
