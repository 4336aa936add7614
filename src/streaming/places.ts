import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type Auth, believedProxies, clientAddress, TooManyRequests } from '../common/index.js';
import { Settings } from '../config/index.js';
import { ENV, type Env } from '../platform/index.js';
import type { Session } from './session.js';

const RETRY_SECONDS = 30;

/**
 * How many connections one caller keeps open in this process (threat W3): counted as requests are, for the account, or for
 * the address of visitors. They hold where the other limits hold.
 */
@Injectable()
export class Places {
  private readonly taken = new Map<string, number>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
  ) {}

  /** The address of a caller, for as long as nobody knows the account. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, believedProxies(this.env.trustedProxies));
  }

  /**
   * Asks for a place before a connection is opened. What opens it has to {@link enter} in the same turn.
   * @throws TooManyRequests when the caller has as many as there are for one
   */
  require(auth: Auth | undefined, address: string): void {
    if (this.isFree(auth, address)) return;
    throw new TooManyRequests(RETRY_SECONDS);
  }

  /** Takes the place of a connection. */
  enter(session: Session): void {
    this.count(holderOf(session.auth, session.address), 1);
  }

  /** Frees the place of a connection. */
  leave(session: Session): void {
    this.count(holderOf(session.auth, session.address), -1);
  }

  /** Gives a visitor's connection to an account; false when that has as many as it may. */
  identify(session: Session, auth: Auth): boolean {
    const [before, after] = [holderOf(session.auth, session.address), holderOf(auth, session.address)];
    if (before !== after && !this.isFree(auth, session.address)) return false;
    this.count(before, -1);
    this.count(after, 1);
    session.auth = auth;
    return true;
  }

  private isFree(auth: Auth | undefined, address: string): boolean {
    if (this.env.rateLimits !== 'on') return true;
    const most = this.settings.get(isUser(auth) ? 'streaming.max_per_account' : 'streaming.max_per_address');
    return (this.taken.get(holderOf(auth, address)) ?? 0) < most;
  }

  private count(holder: string, difference: 1 | -1): void {
    const now = (this.taken.get(holder) ?? 0) + difference;
    if (now > 0) this.taken.set(holder, now);
    else this.taken.delete(holder);
  }
}

function holderOf(auth: Auth | undefined, address: string): string {
  return isUser(auth) ? `account ${auth.accountId}` : address;
}

function isUser(auth: Auth | undefined): auth is Auth & { readonly accountId: string } {
  return (auth?.accountId ?? null) !== null;
}
