import { columns, type Fragment, fragment, sql, type Statement, someRow, withCtes } from '../../platform/index.js';
import { isAnswer, isCountedReblog, maySee, mentionsNoHidden } from '../../statuses/index.js';
import type { CreatedNotification } from '../model/notification.types.js';
import { policyVerdict, refusesStrangers } from '../model/policy.sql.js';
import { refusedAccounts, silencedAccounts } from '../model/silenced.sql.js';
import {
  blocks,
  blocksServerOf,
  eitherBlocks,
  isAccepted,
  isFollowed,
  mutesNotifications,
  mutesThread,
  wantsLanguageOf,
} from '../../accounts/index.js';
import { Notification } from '../model/notification.entity.js';

/** Further columns of the CTE `cause`, besides the receiver, the actor and the post. */
interface CauseColumns {
  /**
   * The post: a placeholder, since joining by a column of the CTE would read all posts. `null` for a cause without a
   * post.
   */
  readonly status?: string;
  readonly emoji?: string;
  readonly target?: string;
  readonly chatMessage?: string;
  /** The post's version. */
  readonly version?: string;
  /** The condition on which a new notification replaces one `n` that is there; else that one stays. */
  readonly replaces?: string;
  /** A further condition. */
  readonly where?: string;
  /** A placeholder, where there may be many receivers: the last of those who were looked at before. */
  readonly after?: string;
}

/** A notification, and the last receiver of its range if more may follow; nothing else where nobody in it is notified. */
export type RangeRow = { readonly [Name in keyof CreatedNotification]: CreatedNotification[Name] | null } & {
  readonly last: string | null;
};

/** Receivers that one unit of work notifies, so that it holds up no others. */
const RANGE = 500;

const RECEIVER = 'c.receiver_id';

/** Whether the post names or answers one of some accounts, and is not the receiver's own. */
const isAbout = (accounts: Fragment) =>
  `(s.id is not null and not coalesce((${withCtes(fragment`select ${mentionsNoHidden('s', RECEIVER, accounts)}`)}), true))`;
const isAboutBlocked = isAbout(refusedAccounts(RECEIVER));
const isAboutMuted = isAbout(silencedAccounts(RECEIVER));

/** Whether the receiver may be notified at all (spec §10.16). Receivers are local: they have a row in `users`. */
const MAY_BE_NOTIFIED = `(c.receiver_id <> c.actor_id or c.type = 'poll')
   and receiver.deactivated_at is null and actor.deactivated_at is null and not actor.invisible
   and not ${eitherBlocks('c.receiver_id', 'c.actor_id')}
   and (c.receiver_id = c.actor_id or ${isFollowed('c.actor_id', 'c.receiver_id')} or not ${blocksServerOf('c.receiver_id', 'actor')} and not ${refusesStrangers})
   and (c.status_id is null or ${maySee('s', 'c.receiver_id')}) and not ${isAboutBlocked}`;

const isActorMuted = mutesNotifications('c.receiver_id', 'c.actor_id');
const isThreadMuted = mutesThread('c.receiver_id', 's.conversation_id');

/** Index: notifications_of_status. */
const replaced = (
  condition: string,
) => `(status_id, from_id, type, receiver_id, coalesce(emoji, '')) where status_id is not null
     do update set id = default, created_at = now(), seen = excluded.seen, status_version = excluded.status_version
       where ${condition}`;

/**
 * A statement that notifies all receivers of one cause. `causes` are CTEs; the last is `cause`, with one row for each
 * receiver: receiver_id, type, actor_id and status_id. They lock the rows of the cause until the unit ends, the post
 * first, so that a removal of the cause waits and then finds the notifications. Existing notifications are not
 * repeated. Only a later version of a post, or a later end of its poll, replaces the notification of the earlier one, as a
 * new one.
 */
function dispatch(cause: string, causes: string, extras: CauseColumns = {}): Statement<CreatedNotification> {
  return sql(`notifications.notify_of_${cause}`, `with ${causes} ${notify('cause', extras)}`);
}

/** Like {@link dispatch}, for {@link RANGE} receivers in the order of their ids; a receiver may be notified of several posts. */
function dispatchRange(cause: string, causes: string, extras: CauseColumns & { readonly after: string }) {
  return sql<RangeRow>(
    `notifications.notify_range_of_${cause}`,
    `with ${causes},
     receivers as materialized (
       select * from cause where receiver_id > ${extras.after} order by receiver_id fetch first ${RANGE} rows with ties),
     created as (${notify('receivers', extras)})
     select created.*, receivers.last
     from (select case when count(*) >= ${RANGE} then max(receiver_id) end as last from receivers) receivers
       left join created on true`,
  );
}

/** Notifies the receivers in a CTE with the columns of `cause`. */
function notify(causes: string, extras: CauseColumns): string {
  const {
    status = '$1',
    emoji = 'null',
    target = 'null',
    chatMessage = 'null',
    version = 'null::int',
    where = 'true',
  } = extras;
  return `insert into notifications as n (receiver_id, type, from_id, status_id, emoji, target_id, chat_message_id, status_version, seen, filtered)
     select c.receiver_id, c.type, c.actor_id, c.status_id, ${emoji}, ${target}, ${chatMessage}, ${version}, ${isActorMuted} or ${isThreadMuted} or ${isAboutMuted}, policy.verdict = 1
     from ${causes} c
       join users u on u.account_id = c.receiver_id
       join accounts receiver on receiver.id = c.receiver_id
       join accounts actor on actor.id = c.actor_id
       left join statuses s on s.id = ${status}
       cross join lateral (select ${policyVerdict} as verdict) policy
     where ${MAY_BE_NOTIFIED} and policy.verdict < 2 and ${where}
     order by c.receiver_id
     on conflict ${extras.replaces === undefined ? 'do nothing' : replaced(extras.replaces)}
     returning ${columns(Notification, 'n', ['id', 'receiverId', 'type', 'statusId', 'seen', 'filtered'])}`;
}

const lockedStatus = `post as materialized (
       select id, author_id, in_reply_to_account_id, in_reply_to_uri, quote_of_id, version, language
       from statuses where id = $1 and reblog_of_id is null for key share)`;

const isNamed = (account: string) =>
  someRow(`mentions m where m.status_id = $1 and m.account_id = ${account} and not m.silent`);

const QUOTED = `quoted as materialized (select q.author_id as id from post p join statuses q on q.id = p.quote_of_id)`;
const OF_QUOTE = `select quoted.id as receiver_id, 'quote' as type, p.author_id as actor_id, p.id as status_id
       from post p, quoted where not ${isNamed('quoted.id')}`;

/**
 * `$1` is a post. Notifies the mentioned accounts, the quoted author and, unless the post is a reply, the author's
 * subscribers who want its language. Each receiver gets one notification only. Index: follows_notified.
 */
export const notifyOfStatus = dispatchRange(
  'post',
  `${lockedStatus},
     ${QUOTED},
     cause as (
       select m.account_id as receiver_id, 'mention' as type, p.author_id as actor_id, p.id as status_id
       from post p join mentions m on m.status_id = p.id where not m.silent
       union all
       ${OF_QUOTE}
       union all
       select f.follower_id, 'status', f.followee_id, $1
       from follows f where f.followee_id = (select author_id from post where not ${isAnswer('post')})
         and f.notify and ${isAccepted('f')} and (select ${wantsLanguageOf('f', 'post')} from post) and not ${isNamed('f.follower_id')}
         and f.follower_id not in (select id from quoted))`,
  { after: '$2' },
);

/** `$1` is a post that shows another quote. Notifies the quoted author, unless the post mentions the author. */
export const notifyOfQuote = dispatch('quote', `${lockedStatus}, ${QUOTED}, cause as (${OF_QUOTE})`);

/**
 * `$1` is an edited post, `$2` the newly mentioned accounts, `$3` the new version, `$4` whether it is a revision. Also
 * notifies local accounts that boosted the post or replied to it, and of a revision those that quote it, with their own
 * posts: of the newest edit only. Index: statuses_reblogs, statuses_replies, statuses_quotes.
 */
export const notifyOfEdit = dispatchRange(
  'edit',
  `${lockedStatus},
     cause as (
       select m.account_id as receiver_id, 'mention' as type, p.author_id as actor_id, p.id as status_id, null::int as version
       from post p join mentions m on m.status_id = p.id where not m.silent and m.account_id = any($2::text[])
       union all
       select e.author_id, 'update', p.author_id, p.id, p.version
       from post p cross join (
         select author_id from statuses where reblog_of_id = $1 and local
         union select author_id from statuses where in_reply_to_id = $1 and local) e
       where e.author_id <> all($2)
       union all
       select q.author_id, 'quoted_update', p.author_id, q.id, p.version
       from post p join statuses q on q.quote_of_id = p.id and q.local where $4::boolean)`,
  { after: '$5', version: 'c.version', replaces: 'n.status_version < $3::int' },
);

/** `$1` is a post, `$2` the booster. Index: statuses_reblogs. */
export const notifyOfReblog = dispatch(
  'reblog',
  `${lockedStatus},
     cause as materialized (
       select p.author_id as receiver_id, 'reblog' as type, reblog.author_id as actor_id, p.id as status_id
       from post p join statuses reblog on reblog.reblog_of_id = p.id where reblog.author_id = $2 and ${isCountedReblog('reblog')} for key share of reblog)`,
);

/** `$1` is a post, `$2` the account that favourited it. Index: favourites_pair. */
export const notifyOfFavourite = dispatch(
  'favourite',
  `${lockedStatus},
     cause as materialized (
       select p.author_id as receiver_id, 'favourite' as type, f.account_id as actor_id, p.id as status_id
       from post p join favourites f on f.status_id = p.id where f.account_id = $2 for key share of f)`,
);

/** `$1` is a post, `$2` the account that reacted with the emoji `$3`. Index: reactions_one. */
export const notifyOfReaction = dispatch(
  'reaction',
  `${lockedStatus},
     cause as materialized (
       select p.author_id as receiver_id, 'svc:emoji_reaction' as type, r.account_id as actor_id, p.id as status_id,
         r.name as emoji
       from post p join reactions r on r.status_id = p.id where r.account_id = $2 and r.name = $3 for key share of r)`,
  { emoji: 'c.emoji' },
);

/**
 * `$1` is a post whose poll has ended. Notifies the author and the voters, unless the poll was reopened since.
 * Index: polls_status_id_key, the primary key of `poll_votes`.
 */
export const notifyOfPoll = dispatchRange(
  'poll',
  `${lockedStatus},
     ended as materialized (
       select polls.id as poll_id, polls.expires_at, p.author_id, p.id from post p join polls on polls.status_id = p.id
       where polls.closed for share of polls),
     cause as (
       select author_id as receiver_id, 'poll' as type, author_id as actor_id, id as status_id from ended
       union all
       select v.account_id, 'poll', e.author_id, e.id from ended e join poll_votes v on v.poll_id = e.poll_id)`,
  { after: '$2', replaces: 'n.created_at < (select expires_at from ended)' },
);

/**
 * `$1` is a report. Notifies all staff. Only blocks keep it away, so it also reaches staff who block notifications from
 * strangers. Index: users_staff.
 */
export const notifyOfReport = sql<CreatedNotification>(
  'notifications.notify_of_report',
  `with cause as materialized (
       select u.account_id as receiver_id, r.actor_id, r.id as report_id
       from reports r, users u where r.id = $1 and (u.is_admin or u.is_moderator and $2) for key share of r)
     insert into notifications as n (receiver_id, type, from_id, report_id, seen)
     select c.receiver_id, 'svc:report', c.actor_id, c.report_id, ${isActorMuted}
     from cause c
       join accounts receiver on receiver.id = c.receiver_id
       join accounts actor on actor.id = c.actor_id
     where c.receiver_id <> c.actor_id and receiver.deactivated_at is null
       and not ${eitherBlocks('c.actor_id', 'c.receiver_id')}
     order by c.receiver_id
     on conflict do nothing
     returning ${columns(Notification, 'n', ['id', 'receiverId', 'type', 'statusId', 'seen', 'filtered'])}`,
);

/** `$1` is a chat message. Notifies its recipient. */
export const notifyOfChatMessage = dispatch(
  'chat_message',
  `cause as materialized (
       select recipient_id as receiver_id, 'svc:chat_mention' as type, sender_id as actor_id, null::text as status_id
       from chat_messages where id = $1 for key share)`,
  { status: 'null', chatMessage: '$1' },
);

const followType = (follow: string) => `case when ${isAccepted(follow)} then 'follow' else 'follow_request' end`;

/** `$1` follows `$2`, or requests to. Notifies `$2`. Index: follows_pair. */
export const notifyOfFollow = dispatch(
  'follow',
  `cause as materialized (
       select f.followee_id as receiver_id, ${followType('f')} as type, f.follower_id as actor_id,
         null::text collate "C" as status_id
       from follows f where f.follower_id = $1 and f.followee_id = $2 for share)`,
  { status: 'null' },
);

/**
 * `$1` moved to `$2`. Notifies the followers of `$1`, unless a block keeps `$2` from them. Index: follows_followers.
 */
export const notifyOfMove = dispatchRange(
  'move',
  `moved as materialized (select id, moved_to_id from accounts where id = $1 and moved_to_id = $2 for key share),
     cause as (
       select f.follower_id as receiver_id, 'move' as type, moved.id as actor_id, null::text collate "C" as status_id,
         target.id as target_id, target.domain, target.ap_id, target.deactivated_at
       from moved join accounts target on target.id = $2 join follows f on f.followee_id = moved.id
       where ${isAccepted('f')})`,
  {
    after: '$3',
    status: 'null',
    target: 'c.target_id',
    where: `c.deactivated_at is null and not ${eitherBlocks('c.receiver_id', 'c.target_id')}
       and (${isFollowed('c.target_id', 'c.receiver_id')} or not ${blocksServerOf('c.receiver_id', 'c')})`,
  },
);

/** Gives the notification the type of the follow as it is now. Index: notifications_of_follow. */
export const turnFollow = sql(
  'notifications.turn_follow',
  `update notifications n set type = ${followType('f')}
   from follows f where f.follower_id = $1 and f.followee_id = $2
     and n.receiver_id = f.followee_id and n.from_id = f.follower_id
     and n.type in ('follow', 'follow_request') and n.type <> ${followType('f')}`,
);

/** Adds filtered notifications to the requests of their accounts. Waits for a receiver who accepts one meanwhile. */
export const request = sql(
  'notifications.request',
  `insert into notification_requests as r (receiver_id, from_id)
   select distinct receiver_id, from_id from notifications where id = any($1::bigint[]) order by 1, 2
   on conflict (receiver_id, from_id) do update set updated_at = now()`,
);

/** Lists filtered notifications whose accounts the receivers have accepted. */
export const unfilterAccepted = sql<{ id: string }>(
  'notifications.unfilter_accepted',
  `update notifications n set filtered = false from notification_requests r
   where n.id = any($1::bigint[]) and r.receiver_id = n.receiver_id and r.from_id = n.from_id and r.accepted
   returning n.id`,
);

/** Removes notifications that this unit of work created. */
export const withdraw = sql('notifications.withdraw', `delete from notifications where id = any($1::bigint[])`);

// Jobs may run out of order, so each statement keeps the notification if the action was repeated since.

/** Removes notifications of the end of a poll that is open again or gone, and of an earlier end. Index: notifications_of_status. */
export const withdrawPoll = sql(
  'notifications.withdraw_poll',
  `delete from notifications n where n.status_id = $1 and n.type = 'poll'
     and not exists (select from polls where status_id = $1 and closed and expires_at <= n.created_at)`,
);

/** Removes the notifications of quotes that a post no longer shows. Index: notifications_of_status. */
export const withdrawQuote = sql(
  'notifications.withdraw_quote',
  `delete from notifications n using statuses s left join statuses q on q.id = s.quote_of_id
   where s.id = $1 and n.status_id = $1 and n.type = 'quote' and n.receiver_id is distinct from q.author_id`,
);

/** Index: notifications_of_status. */
export const withdrawReblog = sql(
  'notifications.withdraw_reblog',
  `delete from notifications where status_id = $1 and from_id = $2 and type = 'reblog'
     and not exists (select from statuses where reblog_of_id = $1 and author_id = $2)`,
);

/** Index: notifications_of_status. */
export const withdrawFavourite = sql(
  'notifications.withdraw_favourite',
  `delete from notifications where status_id = $1 and from_id = $2 and type = 'favourite'
     and not exists (select from favourites where account_id = $2 and status_id = $1)`,
);

/** Index: notifications_of_status. */
export const withdrawReaction = sql(
  'notifications.withdraw_reaction',
  `delete from notifications where status_id = $1 and from_id = $2 and type = 'svc:emoji_reaction' and emoji = $3
     and not exists (select from reactions where status_id = $1 and account_id = $2 and name = $3)`,
);

/** `$1` no longer follows `$2`. Index: notifications_of_follow. */
export const withdrawFollow = sql(
  'notifications.withdraw_follow',
  `delete from notifications where receiver_id = $2 and from_id = $1 and type in ('follow', 'follow_request')
     and not exists (select from follows where follower_id = $1 and followee_id = $2)`,
);

/** `$1` blocks `$2`: removes their notifications of each other. Index: notifications_from. */
export const withdrawBlocked = sql(
  'notifications.withdraw_blocked',
  `delete from notifications n where (n.receiver_id, n.from_id) in (($1, $2), ($2, $1))
     and ${blocks('$1', '$2')}`,
);
