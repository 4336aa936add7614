import { ECDH } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { NotFound, Unauthorized, Unprocessable } from '../../common/index.js';
import { ENV, type Env, Outbound, sealSecret, SECRET_KEY } from '../../platform/index.js';
import { alertsOn } from './push.types.js';
import type { PushPolicy } from './push-subscription.entity.js';
import { PushSubscriptionRepository, type PushSubscriptionRow } from './push-subscription.repository.js';

/** Whose subscription it is: a sign-in, and its access token in clear. */
export interface PushSubscriber {
  readonly tokenId: string;
  readonly token: string;
}

/** Where pushes go, and how they are encrypted. */
export interface PushTarget {
  readonly endpoint: string;
  /** Base64 in either alphabet, as the next one. */
  readonly p256dh: string;
  readonly auth: string;
  readonly standard: boolean | undefined;
}

/** What is pushed. */
export interface PushChoice {
  /** Names may be under the brand; those that do not exist mean nothing. */
  readonly alerts: ReadonlyMap<string, boolean> | undefined;
  readonly policy: PushPolicy | undefined;
}

const POINT_BYTES = 65;
const UNCOMPRESSED = 4;
const SECRET_BYTES = 16;

/** The subscriptions of apps to web push (spec §4.3), one for each token. */
@Injectable()
export class PushSubscriptionsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly outbound: Outbound,
    private readonly subscriptions: PushSubscriptionRepository,
  ) {}

  /**
   * Subscribes a token, in the place of what it subscribed to before.
   * @throws Unprocessable for keys of another size or kind, and for an endpoint that is no public address over https
   */
  async subscribe(subscriber: PushSubscriber, target: PushTarget, choice: PushChoice): Promise<PushSubscriptionRow> {
    if (/\s/.test(target.endpoint) || !this.outbound.mayReach(target.endpoint)) {
      throw new Unprocessable('endpoint must be a public https address');
    }
    const row = await this.subscriptions.put({
      tokenId: subscriber.tokenId,
      endpoint: target.endpoint,
      p256dh: publicKeyOf(target.p256dh),
      auth: secretOf(target.auth),
      standard: target.standard ?? null,
      alerts: alertsOn(this.env.brand, choice.alerts ?? new Map()),
      policy: choice.policy ?? 'all',
      tokenSealed: this.sealed(subscriber),
    });
    if (!row) throw new Unauthorized(); // the token was revoked at this moment
    return row;
  }

  /** Throws NotFound when the token has none. */
  async ofToken(tokenId: string): Promise<PushSubscriptionRow> {
    return found(await this.subscriptions.ofToken(tokenId));
  }

  /** Changes what is pushed: all alerts at once, the policy where it is given. Throws NotFound. */
  async change(tokenId: string, { alerts, policy }: PushChoice): Promise<PushSubscriptionRow> {
    const changes = { alerts: alerts ? alertsOn(this.env.brand, alerts) : null, policy: policy ?? null };
    return found(await this.subscriptions.change(tokenId, changes));
  }

  /** Pushes carry the new access token of a sign-in from now on. */
  async renew(subscriber: PushSubscriber): Promise<void> {
    await this.subscriptions.seal(subscriber.tokenId, this.sealed(subscriber));
  }

  /** Throws NotFound when the token has none. */
  async unsubscribe(tokenId: string): Promise<void> {
    if (!(await this.subscriptions.removeOfToken(tokenId))) throw new NotFound();
  }

  private sealed({ tokenId, token }: PushSubscriber): Buffer {
    return sealSecret(this.secretKey, token, pushTokenContext(tokenId));
  }
}

/** To what the access token of a subscription is bound while it is sealed. */
export function pushTokenContext(tokenId: string): string {
  return `push-token:${tokenId}`;
}

function found(row: PushSubscriptionRow | undefined): PushSubscriptionRow {
  if (!row) throw new NotFound();
  return row;
}

/** The key as base64url; it must be a point on the curve P-256, or nothing can be encrypted for it. */
function publicKeyOf(text: string): string {
  const key = decoded(text);
  if (key?.length !== POINT_BYTES || key[0] !== UNCOMPRESSED || !isOnCurve(key)) {
    throw new Unprocessable('p256dh must be an uncompressed point of 65 bytes on P-256');
  }
  return key.toString('base64url');
}

function secretOf(text: string): string {
  const secret = decoded(text);
  if (secret?.length !== SECRET_BYTES) throw new Unprocessable('auth must be 16 bytes');
  return secret.toString('base64url');
}

/** Browsers write base64url, some apps plain base64. */
function decoded(text: string): Buffer | undefined {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function isOnCurve(key: Buffer): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
