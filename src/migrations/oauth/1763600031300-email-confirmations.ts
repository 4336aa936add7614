import { ForwardOnly } from '../forward-only.js';

/** Links in letters that ask people to confirm their address. */
export class EmailConfirmations1763600031300 extends ForwardOnly {
  readonly name = 'EmailConfirmations1763600031300';
  protected readonly statements = `
    create table email_confirmations (
      token_hash bytea primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      email text not null,
      created_at timestamptz not null default now()
    );
    create index email_confirmations_account on email_confirmations (account_id, created_at);
    create index email_confirmations_age on email_confirmations (created_at);
  `;
}
