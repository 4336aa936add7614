import { Inject, Injectable } from '@nestjs/common';
import {
  type ApiRequest,
  trustedProxiesOrLoopback,
  clientAddress,
  RateLimits,
  requireAllowed,
} from '../../common/index.js';
import { type Bucket, ENV, type Env, Limiter } from '../../platform/index.js';

/** How much one server, and one address, may send (threat F20). */
@Injectable()
export class InboxLimits {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
  ) {}

  /** Takes a point of a server whose signature was verified. Throws TooManyRequests. */
  async requireRoom(host: string): Promise<void> {
    if (this.holds) requireAllowed(await this.limiter.consume(this.bucket('inbox'), host));
  }

  /** Throws TooManyRequests for an address with many refused requests, before it costs any work. */
  async requireGoodStanding(request: ApiRequest): Promise<void> {
    if (this.holds) requireAllowed(await this.limiter.peek(this.bucket('inbox_refused'), this.addressOf(request)));
  }

  async countRefusal(request: ApiRequest): Promise<void> {
    if (this.holds) await this.limiter.consume(this.bucket('inbox_refused'), this.addressOf(request));
  }

  private get holds(): boolean {
    return this.env.rateLimits === 'on';
  }

  private bucket(name: 'inbox' | 'inbox_refused'): Bucket {
    return { name, ...this.limits.of(name, 'anonymous') };
  }

  private addressOf(request: ApiRequest): string {
    return clientAddress(request, trustedProxiesOrLoopback(this.env.trustedProxies));
  }
}
