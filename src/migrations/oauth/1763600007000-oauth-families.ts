import { ForwardOnly } from '../forward-only.js';

export class OauthFamilies1763600007000 extends ForwardOnly {
  readonly name = 'OauthFamilies1763600007000';
  protected readonly statements = `
    create table oauth_spent_refresh_tokens (
      refresh_hash bytea primary key,
      token_id bigint not null references oauth_tokens (id) on delete cascade,
      spent_at timestamptz not null default now()
    );
    create index oauth_spent_refresh_tokens_token on oauth_spent_refresh_tokens (token_id);
    create index oauth_spent_refresh_tokens_spent on oauth_spent_refresh_tokens (spent_at);
  `;
}
