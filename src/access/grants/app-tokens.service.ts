import { Inject, Injectable } from '@nestjs/common';
import { RateLimits, requireAllowed } from '../../common/index.js';
import { ENV, type Env, Limiter } from '../../platform/index.js';
import { type AppRow, type TokenBody, TokensService } from '../../oauth/index.js';

const BUCKET = 'app_tokens';

/** Tokens of apps themselves (RFC 6749 §4.4), limited for each app and each address (threat O26). */
@Injectable()
export class AppTokensService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly tokens: TokensService,
  ) {}

  /** @throws TooManyRequests; Invalid when the app was removed meanwhile */
  async issue(app: AppRow, scopes: readonly string[], address: string): Promise<TokenBody> {
    if (this.env.rateLimits !== 'off') {
      const bucket = { name: BUCKET, ...this.limits.of(BUCKET, 'anonymous') };
      for (const key of [`address ${address}`, `app ${app.id}`]) {
        requireAllowed(await this.limiter.consume(bucket, key));
      }
    }
    return this.tokens.issue({ appId: app.id, accountId: null, scopes });
  }
}
