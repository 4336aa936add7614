import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type LoginResult, UsersService } from '../../accounts/index.js';
import { clientNetwork, RateLimits, requireAllowed } from '../../common/index.js';
import { type Bucket, ENV, type Env, Limiter } from '../../platform/index.js';
import { GuessingNoticeService } from './guessing-notice.service.js';
import { KnownNetworksService, type Source } from './known-networks.service.js';

const BUCKET = 'authentication';
const HOUR_MS = 3_600_000;
/**
 * Limit of wrong passwords for one login within an hour, from all networks, as a multiple of the limit for one address.
 */
const MASSIVE = 10;
/** Guesses left above that limit for a network that never signed in. */
const STRANGER_GUESSES = 3;

/** Why a request with the wrong password of its own account is refused. */
export const WRONG_PASSWORD = 'Invalid password.';

/** A password that counts as wrong until the check. */
interface Attempt {
  /** Whether the wrong passwords are many enough for a notice. */
  readonly isMassive: boolean;
  refund(): Promise<unknown>;
}

/**
 * Checks all passwords. Limits wrong ones for each address, and for each login from each network. While many networks
 * guess a login, networks that never signed in to it have few guesses left. Foreign guesses never lock the owner out: a
 * network without wrong passwords of its own, or an address that signed in before, passes (threats O14, O27).
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
   * The user with a nickname or an e-mail address and a password; undefined when they do not match. For a signed-in
   * user the login is the nickname.
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
   * Counts before the check and takes a right password off again: guesses at the same time would slip through between
   * check and count. Counts the login as spelled, or the limits would reveal the owner of an address (threat O12).
   */
  private async count(login: string, accountId: string | undefined, source: Source): Promise<Attempt> {
    const known = await this.networks.knownPart(accountId, source);
    const taken: (readonly [Bucket, string])[] = [];
    const consume = (bucket: Bucket, key: string) => {
      taken.push([bucket, key]);
      return this.limiter.consume(bucket, key);
    };
    const name = createHash('sha256').update(login.toLowerCase()).digest('base64url');
    const limit = this.limits.of(BUCKET, 'anonymous');
    const here: Bucket = { name: BUCKET, ...limit };
    requireAllowed(await consume(here, `password ${source.address}`));
    // Guesses by neighbours do not count against an address that signed in before.
    requireAllowed(await consume(here, `login ${name} ${known === 'address' ? source.address : source.network}`));
    const everywhere: Bucket = { name: `${BUCKET}-everywhere`, points: MASSIVE * limit.points, windowMs: HOUR_MS };
    const total = await consume(everywhere, name);
    if (known === undefined) {
      const strangers: Bucket = { name: `${BUCKET}-strangers`, points: STRANGER_GUESSES, windowMs: HOUR_MS };
      const stranger = await consume(strangers, `${name} ${source.network}`);
      if (!total.allowed) requireAllowed(stranger);
    }
    return {
      isMassive: total.remaining === 0,
      refund: () => Promise.all(taken.map(([bucket, key]) => this.limiter.refund(bucket, key))),
    };
  }
}
