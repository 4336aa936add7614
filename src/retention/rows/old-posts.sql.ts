import { someRow } from '../../platform/index.js';
import { isModerated } from '../../statuses/index.js';
import { cutoffId } from '../model/retention-kind.js';
import { rowKind } from './row-kind.sql.js';

/** Whether an account is of this server: a condition on the column of a joined row. Index: accounts_pkey. */
const isHere = (column: string) => someRow(`accounts a where a.id = ${column} and a.domain is null`);

/** Whether anybody follows the account, also as a request, or has it on a list. Index: follows_followee, list_members_account. */
const isFollowed = (account: string) =>
  `(${someRow(`follows f where f.followee_id = ${account}`)} or ${someRow(`list_members m where m.account_id = ${account}`)})`;

/** Whether somebody here did something to a post. `rows` name the table and the condition; the actor is `account_id`. */
const isActedOn = (rows: string) => someRow(`${rows} and ${isHere('act.account_id')}`);

/** The reasons of people here to keep a post, by the id of the post. Index: those that begin with it. */
const markedReasons = (post: string) => [
  someRow(`bookmarks b where b.status_id = ${post}.id`),
  someRow(`pins p where p.status_id = ${post}.id`),
  isActedOn(`favourites act where act.status_id = ${post}.id`),
  isActedOn(`reactions act where act.status_id = ${post}.id`),
  isActedOn(`polls p join poll_votes act on act.poll_id = p.id where p.status_id = ${post}.id`),
  isActedOn(`mentions act where act.status_id = ${post}.id`),
  someRow(`notifications n where n.status_id = ${post}.id`),
  someRow(`report_statuses e where e.status_id = ${post}.id`),
  someRow(`filter_statuses f where f.status_id = ${post}.id`),
];

/** Whether a status refers to post `s` that somebody here wrote or follows, that is younger than `$2`, or for other reasons. */
const isReferredTo = (column: string, reasons: readonly string[] = []) => {
  const kept = ['r.local', 'r.id >= $2', isFollowed('r.author_id'), ...reasons];
  return someRow(`statuses r where r.${column} = s.id and (${kept.join(' or ')})`);
};

/** Why a post that answers or quotes another keeps that too: people here marked it, or show it in a boost or a quote. */
const usedReasons = (post: string) => [
  ...markedReasons(post),
  someRow(`statuses b where b.reblog_of_id = ${post}.id and b.local`),
  someRow(`statuses q where q.quote_of_id = ${post}.id and q.local`),
];

const inThread = (rows: string) => someRow(`${rows} and t.conversation_id = s.conversation_id`);

/** Each is a reason to keep the remote post `s`. A kept post is shown with what it answers and quotes. */
const REASONS = [
  isModerated('s'),
  isFollowed('s.author_id'),
  ...markedReasons('s'),
  someRow('status_hashtags h join followed_tags f on f.hashtag_id = h.hashtag_id where h.status_id = s.id'),
  isReferredTo('in_reply_to_id', usedReasons('r')),
  isReferredTo('quote_of_id', usedReasons('r')),
  isReferredTo('reblog_of_id'),
  inThread('statuses t where t.local'),
  inThread('statuses t where t.id >= $2'),
  inThread('thread_mutes t where true'),
  inThread('conversation_participants t where true'),
  // Few rows, read once for the statement.
  `coalesce(s.id = any(array(select q.options->>'inReplyToId' from scheduled_statuses q
     union all select q.options->>'quoteId' from scheduled_statuses q)), false)`,
];

/** Old remote posts that nobody here touched, follows or is part of. `$2` is the first id that is too young. */
export const OLD_POSTS = rowKind({
  name: 'posts',
  setting: 'retention.remote_post_days',
  tables: ['statuses', 'status_stats', 'mentions', 'status_hashtags', 'attachments'],
  ageOf: cutoffId,
  // Index: statuses_pkey.
  page: (rows) => `select id from statuses where id > $1 and id < $2 order by id limit ${rows}`,
  locked: { table: 'statuses', alias: 's', id: 'text' },
  // Boosts go with their posts.
  mayGo: `not s.local and s.reblog_of_id is null and s.id < $2
     and not (${REASONS.join('\n       or ')})`,
});
