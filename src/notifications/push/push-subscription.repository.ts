import { isFollowed } from '../../accounts/index.js';
import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import type { NotificationType } from '../model/notification.types.js';
import { type PushPolicy, PushSubscription } from './push-subscription.entity.js';
import type { CreatedNotification } from '../model/notification.types.js';

/** A subscription as its owner sees it. */
export type PushSubscriptionRow = Readonly<Pick<PushSubscription, keyof typeof SHOWN>>;

export interface NewPushSubscription extends Omit<PushSubscriptionRow, 'id'> {
  readonly tokenId: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly tokenSealed: Buffer;
}

/** Changes of a subscription; null keeps the value. */
export interface PushChanges {
  readonly alerts: readonly string[] | null;
  readonly policy: PushPolicy | null;
}

/** One notification for one subscription. */
export interface DuePush {
  readonly subscriptionId: string;
  readonly notificationId: string;
}

/** Everything a push needs besides its text. */
export interface PushRow {
  readonly subscriptionId: string;
  readonly accountId: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly standard: boolean | null;
  readonly tokenId: string;
  readonly tokenSealed: Buffer;
  /** The hash of the current token, which may have been renewed since `token_sealed` was stored. */
  readonly tokenHash: Buffer;
  readonly notificationId: string;
  readonly type: NotificationType;
  readonly ageSeconds: number;
  readonly hidesContents: boolean;
  readonly locale: string | null;
}

/** Maximum number of an account's subscriptions that get pushes. An account can have any number of tokens. */
const PUSHED_TO = 20;

const SHOWN = { id: true, endpoint: true, standard: true, alerts: true, policy: true } as const;
const COLUMNS = Object.keys(SHOWN).join(', ');

// Locks the token, so that no subscription outlives it. Index: push_subscriptions_token.
const put = sql<PushSubscriptionRow>(
  'push.put',
  `with token as materialized (
     select id, account_id from oauth_tokens where id = $1 and account_id is not null for key share)
   insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, token_sealed)
   select token.id, token.account_id, $2, $3, $4, $5, $6::text[], $7, $8 from token
   on conflict (token_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
     standard = excluded.standard, alerts = excluded.alerts, policy = excluded.policy,
     token_sealed = excluded.token_sealed, created_at = now()
   returning ${COLUMNS}`,
);

const change = sql<PushSubscriptionRow>(
  'push.change',
  `update push_subscriptions set alerts = coalesce($2::text[], alerts), policy = coalesce($3, policy)
   where token_id = $1 returning ${COLUMNS}`,
);

/** Whether a subscription `s` wants a type. */
const asksFor = (type: string) => `${type} = any(s.alerts)`;

// Index: push_subscriptions_account.
const due = sql<DuePush>(
  'push.due',
  `select s.id as "subscriptionId", n.id as "notificationId"
   from unnest($1::bigint[], $2::text[], $3::text[]) as n(id, receiver_id, type)
   cross join lateral (
     select s.id from push_subscriptions s
     where s.account_id = n.receiver_id collate "C" and s.policy <> 'none' and ${asksFor('n.type')}
     order by s.id desc limit ${PUSHED_TO}) s`,
);

// Checks the conditions again at the time of sending: a notification that was read meanwhile is not pushed.
const push = sql<PushRow>(
  'push.one',
  `select s.id as "subscriptionId", s.account_id as "accountId", s.endpoint, s.p256dh, s.auth, s.standard,
     s.token_id as "tokenId", s.token_sealed as "tokenSealed", t.token_hash as "tokenHash",
     n.id as "notificationId", n.type, extract(epoch from now() - n.created_at)::float8 as "ageSeconds",
     coalesce((u.notification_settings ->> 'hide_notification_contents')::boolean, false) as "hidesContents", u.locale
   from push_subscriptions s
     join oauth_tokens t on t.id = s.token_id
     join users u on u.account_id = s.account_id
     join notifications n on n.receiver_id = s.account_id
   where s.id = $1 and n.id = $2 and not n.seen and ${asksFor('n.type')}
     and case s.policy when 'all' then true
       when 'followed' then ${isFollowed('n.from_id', 'n.receiver_id')}
       when 'follower' then ${isFollowed('n.receiver_id', 'n.from_id')}
       else false end`,
);

/** All SQL on `push_subscriptions`. */
@Injectable()
export class PushSubscriptionRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Stores the subscription of a token, replacing an earlier one; undefined when the token no longer exists. */
  put(subscription: NewPushSubscription): Promise<PushSubscriptionRow | undefined> {
    const { tokenId, endpoint, p256dh, auth, standard, alerts, policy, tokenSealed } = subscription;
    return this.db.first(put, [tokenId, endpoint, p256dh, auth, standard, alerts, policy, tokenSealed]);
  }

  async ofToken(tokenId: string): Promise<PushSubscriptionRow | undefined> {
    return (await this.uow.manager.findOne(PushSubscription, { select: SHOWN, where: { tokenId } })) ?? undefined;
  }

  change(tokenId: string, { alerts, policy }: PushChanges): Promise<PushSubscriptionRow | undefined> {
    return this.db.first(change, [tokenId, alerts, policy]);
  }

  /** Stores the renewed access token in the subscription of the token id, if there is one. */
  async seal(tokenId: string, tokenSealed: Buffer): Promise<void> {
    await this.uow.manager.update(PushSubscription, { tokenId }, { tokenSealed });
  }

  /** Returns false when the token has no subscription. */
  async removeOfToken(tokenId: string): Promise<boolean> {
    return (await this.uow.manager.delete(PushSubscription, { tokenId })).affected === 1;
  }

  /** Removes a subscription whose endpoint no longer exists, unless it got another endpoint meanwhile. */
  async removeGone(id: string, endpoint: string): Promise<void> {
    await this.uow.manager.delete(PushSubscription, { id, endpoint });
  }

  /** Finds the subscriptions that want each notification. */
  due(created: readonly CreatedNotification[]): Promise<DuePush[]> {
    return this.db.rows(due, [
      created.map(({ id }) => id),
      created.map(({ receiverId }) => receiverId),
      created.map(({ type }) => type),
    ]);
  }

  /** Loads a push; undefined when it is no longer wanted. */
  push(subscriptionId: string, notificationId: string): Promise<PushRow | undefined> {
    return this.db.first(push, [subscriptionId, notificationId]);
  }
}
