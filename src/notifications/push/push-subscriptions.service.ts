import { ECDH } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { NotFound, Unauthorized, Unprocessable } from '../../common/index.js';
import { TokenRenewed } from '../../oauth/index.js';
import { Brand, ListensAfterCommit, Outbound, sealSecret, SECRET_KEY } from '../../platform/index.js';
import { alertsOn } from './push.types.js';
import type { PushPolicy } from './push-subscription.entity.js';
import { PushSubscriptionRepository, type PushSubscriptionRow } from './push-subscription.repository.js';

/** The owner of a subscription: a token by its id and in plain text. */
export interface PushSubscriber {
  readonly tokenId: string;
  readonly token: string;
}

/** The target and the keys of pushes. */
export interface PushTarget {
  readonly endpoint: string;
  /** Base64 or base64url, like `auth`. */
  readonly p256dh: string;
  readonly auth: string;
  readonly standard: boolean | undefined;
}

export interface PushChoice {
  /** Names may be under the brand; unknown names are ignored. */
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
    private readonly brand: Brand,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly outbound: Outbound,
    private readonly subscriptions: PushSubscriptionRepository,
  ) {}

  /**
   * Subscribes a token; replaces its earlier subscription.
   * @throws Unprocessable for invalid keys, and for an endpoint that is not a public https URL
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
      alerts: alertsOn(this.brand.word, choice.alerts ?? new Map()),
      policy: choice.policy ?? 'all',
      tokenSealed: this.sealed(subscriber),
    });
    if (!row) throw new Unauthorized(); // the token was revoked meanwhile
    return row;
  }

  /** @throws NotFound when the token has no subscription */
  async ofToken(tokenId: string): Promise<PushSubscriptionRow> {
    return found(await this.subscriptions.ofToken(tokenId));
  }

  /**
   * Replaces all alerts, and the policy if it is given.
   * @throws NotFound when the token has no subscription
   */
  async change(tokenId: string, { alerts, policy }: PushChoice): Promise<PushSubscriptionRow> {
    const changes = { alerts: alerts ? alertsOn(this.brand.word, alerts) : null, policy: policy ?? null };
    return found(await this.subscriptions.change(tokenId, changes));
  }

  /** Puts the renewed access token into future pushes. */
  @ListensAfterCommit(TokenRenewed)
  async renew({ tokenId, accessToken }: TokenRenewed): Promise<void> {
    await this.subscriptions.seal(tokenId, this.sealed({ tokenId, token: accessToken }));
  }

  /** @throws NotFound when the token has no subscription */
  async unsubscribe(tokenId: string): Promise<void> {
    if (!(await this.subscriptions.removeOfToken(tokenId))) throw new NotFound();
  }

  private sealed({ tokenId, token }: PushSubscriber): Buffer {
    return sealSecret(this.secretKey, token, pushTokenContext(tokenId));
  }
}

/** The context that the sealed access token of a subscription is bound to. */
export function pushTokenContext(tokenId: string): string {
  return `push-token:${tokenId}`;
}

function found(row: PushSubscriptionRow | undefined): PushSubscriptionRow {
  if (!row) throw new NotFound();
  return row;
}

/** Returns the key as base64url. It must be a point on the curve P-256: otherwise encryption fails later. */
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
