import { ForwardOnly } from '../forward-only.js';

/** Links that set a new password, in letters. */
export class PasswordResets1764000020000 extends ForwardOnly {
  readonly name = 'PasswordResets1764000020000';
  protected readonly statements = `
    create table password_resets (
      token_hash bytea primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      created_at timestamptz not null default now()
    );
    create index password_resets_account on password_resets (account_id);
    create index password_resets_age on password_resets (created_at);
  `;
}
