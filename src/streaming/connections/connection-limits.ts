import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Auth, trustedProxiesOrLoopback, clientAddress, TooManyRequests, Busy } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env, type HttpAdapter } from '../../platform/index.js';
import type { Session } from './session.js';
import { isUser } from './stream-authorizer.js';

const RETRY_SECONDS = 30;

/**
 * Limits the live streams of this process, and those that one caller keeps open (threat W3). Counts the latter for the
 * account, or for the address of a visitor; only `RATE_LIMITS=on` limits those.
 */
@Injectable()
export class ConnectionLimits {
  private readonly counts = new Map<string, number>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly http: HttpAdapterHost,
  ) {}

  /**
   * Counts the connection of a request as a live stream until the returned function is called: all streams together
   * leave room for other requests.
   * @throws Busy when the process has no room for another stream
   */
  claimStream({ socket }: IncomingMessage): () => void {
    const release = (this.http.httpAdapter as HttpAdapter).http.connections.claimStream(socket);
    if (!release) throw new Busy('Too many live streams', {}, RETRY_SECONDS);
    return release;
  }

  /** The client's address, by which visitors are counted. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, trustedProxiesOrLoopback(this.env.trustedProxies));
  }

  /**
   * Checks that the caller may open a connection. The caller of this method has to call {@link countSession} in the
   * same turn.
   * @throws TooManyRequests when the caller has reached the limit
   */
  requireFree(auth: Auth | undefined, address: string): void {
    if (!this.isFree(auth, address)) throw new TooManyRequests(RETRY_SECONDS);
  }

  /** Counts an opened connection. */
  countSession(session: Session): void {
    this.add(callerKey(session.auth, session.address), 1);
  }

  /** Stops counting a closed connection. */
  releaseSession(session: Session): void {
    this.add(callerKey(session.auth, session.address), -1);
  }

  /** Counts a visitor's connection for an account from now on; returns false when the account has reached the limit. */
  reassign(session: Session, auth: Auth): boolean {
    const [before, after] = [callerKey(session.auth, session.address), callerKey(auth, session.address)];
    if (before !== after && !this.isFree(auth, session.address)) return false;
    this.add(before, -1);
    this.add(after, 1);
    session.auth = auth;
    return true;
  }

  private isFree(auth: Auth | undefined, address: string): boolean {
    if (this.env.rateLimits !== 'on') return true;
    const max = this.settings.get(isUser(auth) ? 'streaming.max_per_account' : 'streaming.max_per_address');
    return (this.counts.get(callerKey(auth, address)) ?? 0) < max;
  }

  private add(caller: string, difference: 1 | -1): void {
    const count = (this.counts.get(caller) ?? 0) + difference;
    if (count > 0) this.counts.set(caller, count);
    else this.counts.delete(caller);
  }
}

function callerKey(auth: Auth | undefined, address: string): string {
  return isUser(auth) ? `account ${auth.accountId}` : address;
}
