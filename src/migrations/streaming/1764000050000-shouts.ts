import { ForwardOnly } from '../forward-only.js';

/** The newest messages of the shoutbox. */
export class Shouts1764000050000 extends ForwardOnly {
  readonly name = 'Shouts1764000050000';
  protected readonly statements = `
    create table shouts (
      id bigint generated always as identity primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      text text not null,
      created_at timestamptz not null default now()
    );
    create index shouts_account on shouts (account_id);
  `;
}
