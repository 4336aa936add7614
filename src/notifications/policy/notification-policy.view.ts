import { Injectable } from '@nestjs/common';
import { Json, keyBy } from '../../common/index.js';
import { NotificationRepository } from '../reading/notification.repository.js';
import { NotificationView, type ReceiverContext } from '../reading/notification.view.js';
import type { PolicySummary } from '../model/policy.js';
import type { NotificationPolicyJson, NotificationPolicyV1Json } from './notification-policy.shape.js';
import type { RequestRow } from './notification-request.sql.js';

/** Renders policies and requests. */
@Injectable()
export class NotificationPolicyView {
  constructor(
    private readonly repository: NotificationRepository,
    private readonly notifications: NotificationView,
  ) {}

  policy({ policy, ...counts }: PolicySummary): NotificationPolicyJson {
    return { ...policy, summary: summaryOf(counts) };
  }

  policyV1({ policy, ...counts }: PolicySummary): NotificationPolicyV1Json {
    return {
      filter_not_following: policy.for_not_following !== 'accept',
      filter_not_followers: policy.for_not_followers !== 'accept',
      filter_new_accounts: policy.for_new_accounts !== 'accept',
      filter_private_mentions: policy.for_private_mentions !== 'accept',
      summary: summaryOf(counts),
    };
  }

  /** Renders requests by id. Any number costs one statement more than a page of notifications. */
  async requests(rows: readonly RequestRow[], context: ReceiverContext): Promise<Map<string, Json>> {
    if (rows.length === 0) return new Map();
    const ids = rows.map(({ notificationId }) => notificationId);
    const newest = await this.repository.byIds(context.viewerId, ids, false);
    const { accounts, statuses } = await this.notifications.parts(newest, context);
    const statusIds = keyBy(newest, ({ notificationId }) => notificationId);
    const rendered = rows.flatMap((row): [string, Json][] => {
      const account = accounts.get(row.fromId)?.value;
      if (!account) return [];
      const request = {
        id: row.id,
        created_at: row.createdAt,
        updated_at: row.updatedAt,
        account,
        notifications_count: String(row.notificationsCount),
        last_status: statuses.get(statusIds.get(row.notificationId)?.id ?? '')?.value ?? null,
      };
      return [[row.id, Json.object(request)]];
    });
    return new Map(rendered);
  }
}

function summaryOf({ requests, notifications }: Omit<PolicySummary, 'policy'>) {
  return { pending_requests_count: requests, pending_notifications_count: notifications };
}
