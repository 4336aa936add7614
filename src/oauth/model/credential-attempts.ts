import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { clientAddress, RateLimits, requireAllowed } from '../../common/index.js';
import { type Bucket, ENV, type Env, Limiter } from '../../platform/index.js';

const BUCKET = 'authentication';

/**
 * Counts wrong tokens under keys such as an address, and refuses more of them for a while (threat O14). Only what turned out
 * wrong is counted, so nobody is limited for signing in often. Passwords are counted by `PasswordCheckService`.
 */
@Injectable()
export class CredentialAttempts {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
  ) {}

  /** The address that the guesses of a request count for; only proxies named by the operator are believed. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.env.trustedProxies);
  }

  /**
   * Counts wrong credentials.
   * @throws TooManyRequests when there were too many
   */
  async failed(key: string): Promise<void> {
    if (this.isOn) requireAllowed(await this.limiter.consume(this.bucket, key));
  }

  /**
   * Counts credentials that turned out wrong, and asks for right ones whether there were too many: in one step, so that a
   * right guess among many at the same time fares as if they had come in turn. Right ones are never counted.
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
