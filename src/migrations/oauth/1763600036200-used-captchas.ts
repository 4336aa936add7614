import { ForwardOnly } from '../forward-only.js';

/** Kept until the captcha would have ended anyway. */
export class UsedCaptchas1763600036200 extends ForwardOnly {
  readonly name = 'UsedCaptchas1763600036200';
  protected readonly statements = `
    create table used_captchas (
      token_hash bytea primary key,
      expires_at timestamptz not null
    );
    create index used_captchas_expires on used_captchas (expires_at);
  `;
}
