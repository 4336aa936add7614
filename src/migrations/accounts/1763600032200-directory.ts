import { ForwardOnly } from '../forward-only.js';

/** The directory of those who want to be found, and whom the staff suggests to follow. */
export class Directory1763600032200 extends ForwardOnly {
  readonly name = 'Directory1763600032200';
  protected readonly statements = `
    create index accounts_discoverable on accounts (id desc) where discoverable and deactivated_at is null;
    create index accounts_discoverable_here on accounts (id desc)
      where discoverable and deactivated_at is null and domain is null;

    create table suggested_accounts (
      account_id text collate "C" primary key references accounts (id) on delete cascade,
      created_at timestamptz not null default now()
    );

    create table dismissed_suggestions (
      account_id text collate "C" not null references accounts (id) on delete cascade,
      target_id text collate "C" not null references suggested_accounts (account_id) on delete cascade,
      primary key (account_id, target_id)
    );
    create index dismissed_suggestions_target on dismissed_suggestions (target_id);
  `;
}
