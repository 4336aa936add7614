import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, DecimalId, Nullable } from '../../common/index.js';
import { PlainStatusShape } from '../../statuses/index.js';
import { POLICY_ACTIONS } from '../model/policy.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });
const Action = Type.Enum([...POLICY_ACTIONS]);

const summary = Type.Object({ pending_requests_count: Count, pending_notifications_count: Count }, closed);

/** What becomes of notifications of some kinds of accounts (reference NotificationPolicy). */
export const NotificationPolicyShape = Type.Object(
  {
    for_not_following: Action,
    for_not_followers: Action,
    for_new_accounts: Action,
    for_private_mentions: Action,
    for_limited_accounts: Action,
    summary,
  },
  { ...closed, title: 'NotificationPolicy' },
);

/** The same in its first form: whether they are kept out of the list. */
export const NotificationPolicyV1Shape = Type.Object(
  {
    filter_not_following: Type.Boolean(),
    filter_not_followers: Type.Boolean(),
    filter_new_accounts: Type.Boolean(),
    filter_private_mentions: Type.Boolean(),
    summary,
  },
  { ...closed, title: 'NotificationPolicyV1' },
);

/** Filtered notifications of one account (reference NotificationRequest). */
export const NotificationRequestShape = Type.Object(
  {
    id: DecimalId,
    created_at: DateTime,
    updated_at: DateTime,
    account: AccountShape,
    /** A text, as the reference has it. */
    notifications_count: Type.String({ pattern: String.raw`^\d+$` }),
    last_status: Nullable(PlainStatusShape),
  },
  { ...closed, title: 'NotificationRequest' },
);

/** Whether accepted notifications are in the list yet: they always are. */
export const MergedShape = Type.Object({ merged: Type.Literal(true) }, closed);

export type NotificationPolicyJson = Static<typeof NotificationPolicyShape>;
export type NotificationPolicyV1Json = Static<typeof NotificationPolicyV1Shape>;
export type NotificationRequestJson = Static<typeof NotificationRequestShape>;
