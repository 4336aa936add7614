import { ForwardOnly } from '../forward-only.js';

/** Tokens of apps end, and apps that are not used are forgotten. Apps whose users signed in before keep their rows. */
export class AppTokens1763700030001 extends ForwardOnly {
  readonly name = 'AppTokens1763700030001';
  protected readonly statements = `
    alter table oauth_apps
      add column signed_in boolean not null default false,
      add column used_at timestamptz not null default now();
    update oauth_apps set signed_in = true where id in (select app_id from oauth_tokens where account_id is not null);
    create index oauth_apps_unused on oauth_apps (used_at) where not signed_in and not trusted;

    create index oauth_tokens_of_apps on oauth_tokens (app_id) where account_id is null;
    update oauth_tokens set refresh_hash = null, expires_at = least(expires_at, now() + interval '30 days')
      where account_id is null;
  `;
}
