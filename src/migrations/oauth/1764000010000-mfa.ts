import { ForwardOnly } from '../forward-only.js';

/** The second factor of accounts: the secret of the authenticator app, recovery codes, and sign-ins that wait for a code. */
export class Mfa1764000010000 extends ForwardOnly {
  readonly name = 'Mfa1764000010000';
  protected readonly statements = `
    create table second_factors (
      account_id text collate "C" primary key references accounts (id) on delete cascade,
      totp_sealed bytea not null,
      confirmed_at timestamptz,
      last_step bigint not null default 0,
      created_at timestamptz not null default now()
    );

    create table recovery_codes (
      account_id text collate "C" not null references accounts (id) on delete cascade,
      code_hash bytea not null,
      primary key (account_id, code_hash)
    );

    create table mfa_challenges (
      token_hash bytea primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      purpose text not null,
      data jsonb not null,
      tries smallint not null default 0,
      expires_at timestamptz not null
    );
    create index mfa_challenges_account on mfa_challenges (account_id);
    create index mfa_challenges_expires on mfa_challenges (expires_at);
  `;
}
