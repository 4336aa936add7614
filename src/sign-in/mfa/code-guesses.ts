import { Inject, Injectable } from '@nestjs/common';
import { clientNetwork, RateLimits, requireAllowed } from '../../common/index.js';
import { type Bucket, ENV, type Env, Limiter } from '../../platform/index.js';
import { KnownNetworksService } from '../guessing/known-networks.service.js';
import { MfaNoticesService } from './mfa-notices.service.js';

const HOUR_MS = 3_600_000;
const NOTICE: Bucket = { name: 'second-factor-notice', points: 1, windowMs: 24 * HOUR_MS };

/** A code that counts as wrong until the check. */
export interface CodeGuess {
  accepted(): Promise<void>;
  refused(): Promise<void>;
}

/**
 * Limits wrong codes of authenticator apps for each account. Addresses and networks that sent a right code before have a
 * count each, and all others one together, since many networks could guess six digits. The owner is told: the sender
 * knows the password. The owner is never locked out: recovery codes are too long to guess and always pass (threats O16,
 * O27).
 */
@Injectable()
export class CodeGuesses {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly networks: KnownNetworksService,
    private readonly notices: MfaNoticesService,
  ) {}

  /**
   * Counts a guess before its check, since guesses at the same time would slip through between check and count.
   * @param address the `clientAddress` of the request
   * @throws TooManyRequests
   */
  async count(accountId: string, type: 'totp' | 'recovery', address: string): Promise<CodeGuess> {
    const source = { address, network: clientNetwork(address) };
    const store = () => this.networks.add(accountId, source, 'code');
    if (type === 'recovery' || this.env.rateLimits === 'off') return { accepted: store, refused: nothing };
    const known = await this.networks.knownPart(accountId, source, 'code');
    const key = `${accountId} ${known === undefined ? 'elsewhere' : source[known]}`;
    const taken = await this.limiter.consume(this.bucket, key);
    requireAllowed(taken);
    return {
      accepted: async () => {
        await this.limiter.refund(this.bucket, key);
        await store();
      },
      refused: () => (taken.remaining === 0 ? this.notify(accountId) : nothing()),
    };
  }

  private async notify(accountId: string): Promise<void> {
    const { allowed } = await this.limiter.consume(NOTICE, accountId);
    if (allowed) await this.notices.request(accountId, 'guessing');
  }

  private get bucket(): Bucket {
    return { name: 'second-factor', points: this.limits.of('authentication', 'anonymous').points, windowMs: HOUR_MS };
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
