import { type Static, Type } from 'typebox';
import { DecimalId, Described } from '../../common/index.js';
import { PUSH_ALERTS, type PushAlert } from './push.types.js';
import { PUSH_POLICIES } from './push-subscription.entity.js';

const closed = { additionalProperties: false } as const;
/** The causes of push messages. */
const CAUSES: Readonly<Record<PushAlert, string>> = {
  mention: 'a mention is pushed',
  status: 'a new post of an account is pushed, if the caller asked for its posts',
  reblog: "a reblog of the caller's post is pushed",
  favourite: "a favourite of the caller's post is pushed",
  follow: 'a new follower is pushed',
  follow_request: 'a request to follow is pushed',
  poll: 'the end of a poll is pushed',
  update: 'an edit of a post that the caller reblogged is pushed',
  quote: "a quote of the caller's post is pushed",
  quoted_update: 'an edit of a post that the caller quoted is pushed',
  'svc:chat_mention': 'a chat message is pushed',
  'svc:emoji_reaction': "a reaction to the caller's post is pushed",
};
const alerts = Object.fromEntries(
  PUSH_ALERTS.map((type) => [type, Described(Type.Boolean(), `Whether ${CAUSES[type]}.`)]),
);

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
