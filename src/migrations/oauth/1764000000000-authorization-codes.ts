import { ForwardOnly } from '../forward-only.js';

/** Codes that apps exchange for tokens. A used one keeps its row, so that a second use ends the sign-in. */
export class AuthorizationCodes1764000000000 extends ForwardOnly {
  readonly name = 'AuthorizationCodes1764000000000';
  protected readonly statements = `
    create table oauth_codes (
      code_hash bytea primary key,
      app_id bigint not null references oauth_apps (id) on delete cascade,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      redirect_uri text not null,
      scopes text[] not null,
      challenge text,
      token_id bigint,
      created_at timestamptz not null default now(),
      spent_at timestamptz
    );
    create index oauth_codes_account on oauth_codes (account_id);
    create index oauth_codes_app on oauth_codes (app_id);
    create index oauth_codes_age on oauth_codes (created_at);
  `;
}
