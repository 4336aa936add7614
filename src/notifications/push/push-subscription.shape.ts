import { type Static, Type } from 'typebox';
import { DecimalId } from '../../common/index.js';
import { PUSH_ALERTS } from './push.types.js';
import { PUSH_POLICIES } from './push-subscription.entity.js';

const closed = { additionalProperties: false } as const;
const alerts = Object.fromEntries(PUSH_ALERTS.map((type) => [type, Type.Boolean()]));

/** A subscription to web push (spec §2.6). */
export const PushSubscriptionShape = Type.Object(
  {
    /** A number for apps of the reference. */
    id: Type.Union([DecimalId, Type.Integer()]),
    endpoint: Type.String({ pattern: String.raw`^https?://\S+$` }),
    standard: Type.Boolean(),
    server_key: Type.String({ pattern: String.raw`^B[\w-]{86}$` }),
    policy: Type.Enum([...PUSH_POLICIES]),
    alerts: Type.Object(alerts, closed),
  },
  { ...closed, title: 'PushSubscription' },
);

export type PushSubscriptionJson = Static<typeof PushSubscriptionShape> & { readonly id: string };
