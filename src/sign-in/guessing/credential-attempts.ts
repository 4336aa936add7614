import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { clientAddress, RateLimits, requireAllowed } from '../../common/index.js';
import { type Bucket, ENV, type Env, Limiter } from '../../platform/index.js';

const BUCKET = 'authentication';

/**
 * Counts wrong tokens under keys such as an address, and refuses more of them for a while (threat O14). Right tokens do
 * not count, so frequent sign-ins are not limited. `PasswordCheckService` counts passwords.
 */
@Injectable()
export class CredentialAttempts {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
  ) {}

  /** The address that a request's guesses count for; only proxies named by the operator are believed. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.env.trustedProxies);
  }

  /** Counts wrong credentials. Throws TooManyRequests when there were too many. */
  async failed(key: string): Promise<void> {
    if (this.isOn) requireAllowed(await this.limiter.consume(this.bucket, key));
  }

  /**
   * Counts wrong credentials, and checks the limit for right ones, in one step: a right guess among many parallel ones
   * is treated as if they had come in turn. Right ones never count.
   * @throws TooManyRequests when there were too many wrong ones
   */
  async weigh(key: string, isRight: boolean): Promise<void> {
    if (!isRight) await this.failed(key);
    else if (this.isOn) requireAllowed(await this.limiter.peek(this.bucket, key));
  }

  private get isOn(): boolean {
    return this.env.rateLimits !== 'off';
  }

  private get bucket(): Bucket {
    return { name: BUCKET, ...this.limits.of(BUCKET, 'anonymous') };
  }
}
