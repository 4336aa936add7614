import { GHOST_ID } from '../../accounts/index.js';
import { someRow } from '../../platform/index.js';

/** More references than this of a kind make a post popular: it is removed gradually. */
export const POPULAR = 1_000;
/** As {@link POPULAR}, where a hundred posts are removed in one unit of work. */
export const POPULAR_AMONG_MANY = 50;

/** SQL: the rows of other accounts that refer to a post, each kind of which grows with its fame. */
const REFERENCES = [
  (post: string) => `statuses r where r.reblog_of_id = ${post}`,
  (post: string) => `statuses r where r.in_reply_to_id = ${post}`,
  (post: string) => `statuses r where r.quote_of_id = ${post}`,
  (post: string) => `favourites r where r.status_id = ${post}`,
  (post: string) => `reactions r where r.status_id = ${post}`,
  (post: string) => `bookmarks r where r.status_id = ${post}`,
  (post: string) => `notifications r where r.status_id = ${post}`,
  (post: string) => `polls p join poll_votes r on r.poll_id = p.id where p.status_id = ${post}`,
];

/**
 * SQL: whether a post has more references of a kind than `most`; reads no more than decides that. Index: statuses_reblogs, statuses_replies,
 * statuses_quotes, favourites_status, reactions_one, bookmarks_status, notifications_of_status, poll_votes_pkey.
 */
export function isPopular(post: string, most = POPULAR): string {
  return `(${REFERENCES.map((rows) => `exists (select from ${rows(post)} offset ${most})`).join(' or ')})`;
}

/** SQL: whether this server counts the posts of an account; else its own server states their number. */
export function isCountedHere(account: string): string {
  return `not ${someRow(`account_stats t where t.account_id = ${account} and t.counts_fetched_at is not null`)}`;
}

/** SQL: whether a post is another than the empty rest of a popular post that was deleted. */
export function isNotRemoved(post: string): string {
  return `${post}.author_id <> '${GHOST_ID}'`;
}
