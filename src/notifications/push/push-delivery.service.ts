import { Inject, Injectable } from '@nestjs/common';
import { type Locale, localeOf, type Translator, translatorOf } from '../../common/index.js';
import { Settings, VapidKeys } from '../../config/index.js';
import { TokensService } from '../../oauth/index.js';
import {
  Asker,
  ASKING,
  Brand,
  done,
  ENV,
  type Env,
  Handles,
  hashToken,
  isPassingStatus,
  knownUrl,
  openSecret,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  type Outcome,
  ReadCaches,
  retry,
  SECRET_KEY,
  skip,
} from '../../platform/index.js';
import { NotificationView } from '../reading/notification.view.js';
import { isStandard, pushRequest } from './push-message.js';
import { SEND_PUSH, type SendPush } from './push-queue.service.js';
import { type PushRow, PushSubscriptionRepository } from './push-subscription.repository.js';
import { pushTokenContext } from './push-subscriptions.service.js';
import { extension, type PushedNotification, pushText } from './push-text.js';

/** After this time a push that could not be delivered is out of date. */
const GIVE_UP_AFTER_SECONDS = 1_800;
const LONGEST_WAIT_SECONDS = 3_600;

const isGone = (status: number) => status === 404 || status === 410;

/** Sends one notification to one subscription. Checks at the time of sending what the receiver may see. */
@Injectable()
export class PushDeliveryService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly settings: Settings,
    private readonly vapid: VapidKeys,
    private readonly asker: Asker,
    private readonly tokens: TokensService,
    private readonly notifications: NotificationView,
    private readonly caches: ReadCaches,
    private readonly subscriptions: PushSubscriptionRepository,
  ) {}

  /** Safe to run twice: the push service replaces an undelivered push by its repetition. */
  @Handles(SEND_PUSH)
  async send({ subscriptionId, notificationId }: SendPush): Promise<Outcome> {
    const push = await this.subscriptions.push(subscriptionId, notificationId);
    if (!push) return skip('The notification or its subscription has gone');
    const [live, [shown]] = await Promise.all([
      this.tokens.live([push.tokenId]),
      this.caches.readApart(() => this.notifications.objects([push.notificationId], { viewerId: push.accountId })),
    ]);
    if (!live.has(push.tokenId)) return skip('The sign-in has ended');
    if (!shown) return skip('The receiver does not get to see it');
    const payload = this.payload(push, shown);
    const sender = { ...(await this.vapid.pair()), subject: this.subject() };
    return this.deliver(push, await pushRequest(push, payload, sender, isStandard(push, this.settings)));
  }

  private async deliver(push: PushRow, request: OutboundRequest): Promise<Outcome> {
    try {
      return await this.outcome(push, await this.asker.within(ASKING, () => this.asker.ask(request), 'push'));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return error.isPassing ? again(push, error.kind) : skip(`Not sent: ${error.kind}`);
    }
  }

  private async outcome(push: PushRow, { status, headers }: OutboundResponse): Promise<Outcome> {
    if (status >= 200 && status < 300) return done;
    if (isPassingStatus(status)) return again(push, `the push service answered ${status}`, headers['retry-after']);
    if (isGone(status)) await this.subscriptions.removeGone(push.subscriptionId, push.endpoint);
    return skip(`The push service answered ${status}`);
  }

  /** The payload. Its size stays far below the 4,096 bytes that push services accept. */
  private payload(push: PushRow, notification: PushedNotification): string {
    const t = this.translator(push.locale);
    return JSON.stringify({
      access_token: this.accessToken(push),
      preferred_locale: t.locale,
      notification_id: Number(notification.id), // as the reference writes it
      notification_type: notification.type,
      icon: notification.account.avatar,
      ...pushText(t, this.brand.word, push, notification),
      [this.brand.word]: this.place(notification),
    });
  }

  /** The things that an app opens for the push: the post and, for a direct post, the conversation. */
  private place({ status }: PushedNotification): { activity_id: string | null; direct_conversation_id: string | null } {
    return {
      activity_id: status?.id ?? null,
      direct_conversation_id: status ? extension(this.brand.word, status).direct_conversation_id : null,
    };
  }

  /**
   * The token of the subscription; undefined when the token was renewed and a crash lost the new one for the
   * subscription.
   */
  private accessToken({ tokenId, tokenSealed, tokenHash }: PushRow): string | undefined {
    const token = openSecret(this.secretKey, tokenSealed, pushTokenContext(tokenId)).toString();
    return hashToken(token).equals(tokenHash) ? token : undefined;
  }

  private translator(locale: string | null): Translator {
    const [main = 'en'] = this.settings.get('instance.languages');
    const known: Locale | undefined = locale === null ? undefined : localeOf(locale);
    return translatorOf(known ?? localeOf(main) ?? 'en');
  }

  /** The contact for push services when they have a problem with our pushes (RFC 8292 §2.1). */
  private subject(): string {
    const email = this.settings.get('instance.email');
    if (email !== '') return `mailto:${email}`;
    const { protocol, hostname, origin } = knownUrl(this.env.baseUrl);
    return protocol === 'https:' ? origin : `mailto:no-reply@${hostname}`;
  }
}

function again({ ageSeconds: age }: PushRow, reason: string, retryAfter?: string): Outcome {
  if (age > GIVE_UP_AFTER_SECONDS) return skip(`Given up: ${reason}`);
  const wait = Number(retryAfter);
  return wait > 0 ? retry(reason, Math.min(wait, LONGEST_WAIT_SECONDS) * 1_000) : retry(reason);
}
