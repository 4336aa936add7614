import { isAccepted, isFollowed, POST_LIMITING_TAGS } from '../../accounts/index.js';
import { someRow } from '../../platform/index.js';
import { DIRECT } from '../../statuses/index.js';
import type { NotificationType } from './notification.types.js';
import type { PolicyField } from './policy.js';

/*
 * The policy of a receiver, as SQL on the rows of a dispatch: the cause `c`, its receiver's user `u`, its `actor`, and its
 * post `s`.
 */

/** Followers count as such after this time, as in the reference. */
const NEW_FOLLOWER = `interval '3 days'`;
const NEW_ACCOUNT = `interval '30 days'`;
const LIMITING_TAGS = `array['${POST_LIMITING_TAGS.join("', '")}']`;

/** The policy applies to these types: other accounts cause them unasked. */
const FILTERABLE: readonly NotificationType[] = [
  'mention',
  'reblog',
  'favourite',
  'follow',
  'follow_request',
  'quote',
  'svc:emoji_reaction',
  'svc:chat_mention',
];

const isStranger = `not ${isFollowed('c.actor_id', 'c.receiver_id')}`;
const isOldFollower = someRow(`follows z where z.follower_id = c.actor_id and z.followee_id = c.receiver_id
  and ${isAccepted('z')} and z.created_at < now() - ${NEW_FOLLOWER}`);
const isStaff = someRow('users z where z.account_id = c.actor_id and (z.is_admin or z.is_moderator)');
/** The receiver has written to the actor in private in this thread. */
const isAnswer = someRow(`statuses own join mentions m on m.status_id = own.id
  where own.conversation_id = s.conversation_id and own.author_id = c.receiver_id
    and ${DIRECT.sql('own')} and m.account_id = c.actor_id`);

const CONDITIONS: Readonly<Record<PolicyField, string>> = {
  for_not_following: isStranger,
  for_not_followers: `not ${isOldFollower}`,
  for_new_accounts: `actor.created_at > now() - ${NEW_ACCOUNT} and ${isStranger}`,
  for_private_mentions: `c.type = 'mention' and ${DIRECT.sql('s')} and ${isStranger} and not ${isAnswer}`,
  for_limited_accounts: `actor.tags && ${LIMITING_TAGS} and ${isStranger}`,
};

const weightOf = ([field, condition]: [string, string]) =>
  `case coalesce(u.notification_settings ->> '${field}', 'accept') when 'accept' then 0
     when 'drop' then case when ${condition} then 2 else 0 end else case when ${condition} then 1 else 0 end end`;

/** The receiver has accepted the notifications of the actor. Index: notification_requests_pair. */
const isSenderAccepted = someRow(
  'notification_requests z where z.receiver_id = c.receiver_id and z.from_id = c.actor_id and z.accepted',
);

/**
 * The receiver blocks notifications of strangers (`block_from_strangers`, or the policy's `for_not_following: drop`), and
 * has not accepted those of the actor. Mentions by the staff are let through.
 */
export const refusesStrangers = `(coalesce((u.notification_settings ->> 'block_from_strangers')::boolean, false) and not ${isSenderAccepted}
  and not (c.type = 'mention' and ${isStaff}))`;

/** 0 to list a notification, 1 to filter it, 2 to drop it. Mentions by the staff are always listed. */
export const policyVerdict = `case when c.type not in (${FILTERABLE.map((type) => `'${type}'`).join(', ')})
       or ${isSenderAccepted} or c.type = 'mention' and ${isStaff} then 0
     else greatest(${Object.entries(CONDITIONS).map(weightOf).join(', ')}) end`;
