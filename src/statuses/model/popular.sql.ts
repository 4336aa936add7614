import { GHOST_ID } from '../../accounts/index.js';

/** More references than this of a kind make a post popular: it is removed gradually. */
export const POPULAR = 1_000;

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
 * SQL: whether a post is popular; reads no more than decides that. Index: statuses_reblogs, statuses_replies,
 * statuses_quotes, favourites_status, reactions_one, bookmarks_status, notifications_of_status, poll_votes_pkey.
 */
export function isPopular(post: string): string {
  return `(${REFERENCES.map((rows) => `exists (select from ${rows(post)} offset ${POPULAR})`).join(' or ')})`;
}

/** SQL: whether a post is another than the empty rest of a popular post that was deleted. */
export function isNotRemoved(post: string): string {
  return `${post}.author_id <> '${GHOST_ID}'`;
}
