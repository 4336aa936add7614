import { type Static, Type } from 'typebox';
import { DecimalId, Described } from '../../common/index.js';
import { PUSH_ALERTS } from './push.types.js';
import { PUSH_POLICIES } from './push-subscription.entity.js';

const closed = { additionalProperties: false } as const;
const alerts = Object.fromEntries(PUSH_ALERTS.map((type) => [type, Type.Boolean()]));

/** A subscription to web push (spec §2.6). */
export const PushSubscriptionShape = Type.Object(
  {
    /** A number for apps of the reference. */
    id: Described(Type.Union([DecimalId, Type.Integer()]), 'The id of the subscription.'),
    endpoint: Described(Type.String({ pattern: String.raw`^https?://\S+$` }), 'The address of the push service.'),
    standard: Described(Type.Boolean(), 'Whether messages are encrypted by RFC 8291 instead of its draft.'),
    server_key: Described(Type.String({ pattern: String.raw`^B[\w-]{86}$` }), 'The public key of this server (VAPID).'),
    policy: Described(Type.Enum([...PUSH_POLICIES]), 'Whose notifications are pushed.'),
    alerts: Described(Type.Object(alerts, closed), 'Whether each type of notification is pushed, by its name.'),
  },
  { ...closed, title: 'PushSubscription' },
);

export type PushSubscriptionJson = Static<typeof PushSubscriptionShape> & { readonly id: string };
