import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type LoginResult, UsersService } from '../../accounts/index.js';
import { clientNetwork, RateLimits, requireAllowed } from '../../common/index.js';
import { type Bucket, ENV, type Env, Limiter } from '../../platform/index.js';
import { GuessingNoticeService } from './guessing-notice.service.js';
import { KnownNetworksService, type Source } from './known-networks.service.js';

const BUCKET = 'authentication';
const HOUR_MS = 3_600_000;
/** Wrong passwords for one login within an hour, from everywhere, as a multiple of the limit for one address. */
const MASSIVE = 10;
/** How many of them one network that never signed in may still send while there are more. */
const STRANGER_GUESSES = 3;

/** A password that is counted as wrong until it proves right. */
interface Attempt {
  /** Whether there are so many wrong ones that the owner should know. */
  readonly isMassive: boolean;
  refund(): Promise<unknown>;
}

/**
 * The one place where passwords are checked. Wrong ones are limited for each address, and for each login from each network.
 * While a login is guessed from many networks, those that never signed in to it have few guesses left. No guesses from
 * elsewhere keep the owner out: a network that was not wrong itself, or an address that signed in before, passes
 * (threats O14, O27).
 */
@Injectable()
export class PasswordCheckService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly users: UsersService,
    private readonly networks: KnownNetworksService,
    private readonly notices: GuessingNoticeService,
  ) {}

  /**
   * Whom a nickname or an e-mail address and a password belong to; undefined when they do not fit. For somebody who is
   * signed in, the login is the nickname.
   * @param address the `clientAddress` of the request, where only proxies named by the operator are believed
   * @throws TooManyRequests before the check
   */
  async check(login: string, password: string, address: string): Promise<LoginResult | undefined> {
    const source = { address, network: clientNetwork(address) };
    const accountId = await this.users.idOfLogin(login);
    const attempt = this.env.rateLimits === 'off' ? undefined : await this.count(login, accountId, source);
    const found = await this.users.verifyPassword(login, password);
    if (found) {
      await attempt?.refund();
      if (found.state === 'ok') await this.networks.add(found.accountId, source);
    } else if (attempt?.isMassive) {
      await this.notices.request(accountId);
    }
    return found;
  }

  /**
   * Counts before the check, and gives back what was right: between looking and counting, guesses that come at the same
   * time would slip through. The login is counted as it is spelled, or the limits would tell whose address it is (threat O12).
   */
  private async count(login: string, accountId: string | undefined, source: Source): Promise<Attempt> {
    const known = await this.networks.knownPart(accountId, source);
    const taken: (readonly [Bucket, string])[] = [];
    const take = (bucket: Bucket, key: string) => {
      taken.push([bucket, key]);
      return this.limiter.consume(bucket, key);
    };
    const name = createHash('sha256').update(login.toLowerCase()).digest('base64url');
    const limit = this.limits.of(BUCKET, 'anonymous');
    const here: Bucket = { name: BUCKET, ...limit };
    requireAllowed(await take(here, `password ${source.address}`));
    // Neighbours of an address that signed in before do not use up its guesses.
    requireAllowed(await take(here, `login ${name} ${known === 'address' ? source.address : source.network}`));
    const everywhere: Bucket = { name: `${BUCKET}-everywhere`, points: MASSIVE * limit.points, windowMs: HOUR_MS };
    const total = await take(everywhere, name);
    if (known === undefined) {
      const strangers: Bucket = { name: `${BUCKET}-strangers`, points: STRANGER_GUESSES, windowMs: HOUR_MS };
      const stranger = await take(strangers, `${name} ${source.network}`);
      if (!total.allowed) requireAllowed(stranger);
    }
    return {
      isMassive: total.remaining === 0,
      refund: () => Promise.all(taken.map(([bucket, key]) => this.limiter.refund(bucket, key))),
    };
  }
}
