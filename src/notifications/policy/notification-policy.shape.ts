import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, DecimalId, Described, Nullable } from '../../common/index.js';
import { PlainStatusShape } from '../../statuses/index.js';
import { POLICY_ACTIONS } from '../model/policy.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });
const Action = Type.Enum([...POLICY_ACTIONS]);

const summary = Described(
  Type.Object(
    {
      pending_requests_count: Described(Count, 'The number of accounts whose notifications wait.'),
      pending_notifications_count: Described(Count, 'The number of notifications that wait.'),
    },
    closed,
  ),
  'What waits among the filtered notifications.',
);

/** What becomes of notifications of some kinds of accounts (reference NotificationPolicy). */
export const NotificationPolicyShape = Type.Object(
  {
    for_not_following: Described(Action, 'What happens to notifications by accounts that the caller does not follow.'),
    for_not_followers: Described(Action, 'What happens to notifications by accounts that do not follow the caller.'),
    for_new_accounts: Described(Action, 'What happens to notifications by new accounts.'),
    for_private_mentions: Described(Action, 'What happens to direct messages that the caller did not ask for.'),
    for_limited_accounts: Described(Action, 'What happens to notifications by accounts that the staff limits.'),
    summary,
  },
  { ...closed, title: 'NotificationPolicy' },
);

/** The same in its first form: whether they are kept out of the list. */
export const NotificationPolicyV1Shape = Type.Object(
  {
    filter_not_following: Described(Type.Boolean(), 'Whether accounts that the caller does not follow are filtered.'),
    filter_not_followers: Described(Type.Boolean(), 'Whether accounts that do not follow the caller are filtered.'),
    filter_new_accounts: Described(Type.Boolean(), 'Whether new accounts are filtered.'),
    filter_private_mentions: Described(
      Type.Boolean(),
      'Whether direct messages that the caller did not ask for are filtered.',
    ),
    summary,
  },
  { ...closed, title: 'NotificationPolicyV1' },
);

/** Filtered notifications of one account (reference NotificationRequest). */
export const NotificationRequestShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the request.'),
    created_at: Described(DateTime, 'When the first notification was filtered.'),
    updated_at: Described(DateTime, 'When the latest notification was filtered.'),
    account: Described(AccountShape, 'The account whose notifications wait.'),
    /** A text, as the reference has it. */
    notifications_count: Described(
      Type.String({ pattern: String.raw`^\d+$` }),
      'The number of notifications that wait.',
    ),
    last_status: Described(Nullable(PlainStatusShape), 'The latest post among them; null for none.'),
  },
  { ...closed, title: 'NotificationRequest' },
);

/** Whether accepted notifications are in the list yet: they always are. */
export const MergedShape = Type.Object({ merged: Described(Type.Literal(true), 'Always true.') }, closed);

export type NotificationPolicyJson = Static<typeof NotificationPolicyShape>;
export type NotificationPolicyV1Json = Static<typeof NotificationPolicyV1Shape>;
export type NotificationRequestJson = Static<typeof NotificationRequestShape>;
