import { someRow } from '../../platform/index.js';

/** Whether an account is of this server: a condition on the column of a joined row. Index: accounts_pkey. */
const isHere = (column: string) => someRow(`accounts a where a.id = ${column} and a.domain is null`);

/** Whether anybody follows the account, also as a request, or has it on a list. Index: follows_followee, list_members_account. */
const isFollowed = (account: string) =>
  `(${someRow(`follows f where f.followee_id = ${account}`)} or ${someRow(`list_members m where m.account_id = ${account}`)})`;

/** Whether somebody here did something to post `s`. `rows` name the table and the condition; the actor is `account_id`. */
const isActedOn = (rows: string) => someRow(`${rows} and ${isHere('act.account_id')}`);

/** Whether a status refers to post `s` that somebody here wrote or follows, or that is younger than the cutoff. */
const isReferredTo = (column: string, cutoff: string) =>
  someRow(`statuses r where r.${column} = s.id and (r.local or r.id >= ${cutoff} or ${isFollowed('r.author_id')})`);

const inThread = (rows: string) => someRow(`${rows} and t.conversation_id = s.conversation_id`);

/**
 * Whether the remote post `s` may go: the one definition, for the preview and the removal. `cutoff` is the placeholder of
 * the first id that is too young. Each line is a reason to keep a post; boosts go with their posts. Index: the primary
 * keys, and those that begin with the id of the post or of the thread.
 */
export function mayGo(cutoff: string): string {
  const reasons = [
    isFollowed('s.author_id'),
    someRow('bookmarks b where b.status_id = s.id'),
    someRow('pins p where p.status_id = s.id'),
    isActedOn('favourites act where act.status_id = s.id'),
    isActedOn('reactions act where act.status_id = s.id'),
    isActedOn('polls p join poll_votes act on act.poll_id = p.id where p.status_id = s.id'),
    isActedOn('mentions act where act.status_id = s.id'),
    someRow('notifications n where n.status_id = s.id'),
    someRow('report_statuses r where r.status_id = s.id'),
    someRow('filter_statuses f where f.status_id = s.id'),
    someRow('status_hashtags h join followed_tags f on f.hashtag_id = h.hashtag_id where h.status_id = s.id'),
    isReferredTo('in_reply_to_id', cutoff),
    isReferredTo('reblog_of_id', cutoff),
    isReferredTo('quote_of_id', cutoff),
    inThread('statuses t where t.local'),
    inThread(`statuses t where t.id >= ${cutoff}`),
    inThread('thread_mutes t where true'),
    inThread('conversation_participants t where true'),
    // Few rows, read once for the statement.
    `coalesce(s.id = any(array(select q.options->>'inReplyToId' from scheduled_statuses q
       union all select q.options->>'quoteId' from scheduled_statuses q)), false)`,
  ];
  return `not s.local and s.reblog_of_id is null and s.id < ${cutoff}
     and not (${reasons.join('\n       or ')})`;
}
