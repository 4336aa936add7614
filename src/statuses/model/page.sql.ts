import { someRow } from '../../platform/index.js';
import { StatusFlag } from './status.flags.js';
import { maySee } from './visibility.js';
import { isUnexpired, isFollowed } from '../../accounts/index.js';

/*
 * Building blocks of page statements: the statements that find the statuses of a list. A page brings narrow rows only
 * (PageRow), since bodies are kept rendered by (id, version). Every block is an SQL fragment over aliases and placeholders
 * that the statement's author chooses; the switches of a filter are parameters, so that a list is one statement per
 * direction. All filters stand before `limit`: a page is never sparse.
 *
 *   with ${hiddenAccounts('$1', '$4')}, ${gates('$1')},
 *   p as materialized (
 *     select f.status_id as feed_id, f.author_id as w_author_id, ${PAGE_KEYS} from … join statuses o on …
 *     where … order by f.status_id desc limit $5)
 *   ${selectPage('$1')} order by p.feed_id desc
 *
 * `o` is the post, `w` a boost of it where there is one.
 */

/** One row of a page: what changes without the post's version, or depends on the viewer. */
export interface PageRow {
  /** Id of the entry: the boost's own id, else the post's. */
  readonly feed_id: string;
  /** Who boosted, else the author. */
  readonly w_author_id: string;
  /** The post. */
  readonly id: string;
  readonly author_id: string;
  readonly version: number;
  readonly flags: number;
  readonly conversation_id: string | null;
  readonly quote_of_id: string | null;
  /** Null when there is none, and when the viewer may not see it. */
  readonly in_reply_to_id: string | null;
  readonly replies: number;
  readonly reblogs: number;
  readonly favourites: number;
  readonly quotes: number;
  /** Emoji put under it: which ones is asked for only when there are some. */
  readonly reactions: number;
  /** These are null unless the entry is a boost. */
  readonly w_created_at: string | null;
  readonly w_visibility: number | null;
  readonly w_local: boolean | null;
}

/** Columns of the post that the page's CTE `p` holds beside `feed_id` and `w_author_id`. */
export const PAGE_KEYS = ['id', 'author_id', 'version', 'flags', 'conversation_id', 'in_reply_to_id', 'quote_of_id']
  .map((column) => `o.${column}`)
  .join(', ');

/** Turns the CTE `p` into page rows; the statement adds its order, and `columns` of `p` that it needs besides. */
export function selectPage(viewer: string, ...columns: string[]): string {
  return `select ${columns.map((column) => `p.${column}, `).join('')}
      p.feed_id, p.w_author_id, p.id, p.author_id, p.version, p.flags, p.conversation_id, p.quote_of_id,
      (select parent.id from statuses parent where parent.id = p.in_reply_to_id and ${maySee('parent', viewer)}) as in_reply_to_id,
      coalesce(t.replies, 0) as replies, coalesce(t.reblogs, 0) as reblogs,
      coalesce(t.favourites, 0) as favourites, coalesce(t.quotes, 0) as quotes,
      coalesce(t.reactions, 0) as reactions,
      boost.created_at as w_created_at, boost.visibility as w_visibility, boost.local as w_local
    from p left join status_stats t on t.status_id = p.id
      left join statuses boost on boost.id = case when p.feed_id <> p.id then p.feed_id end`;
}

/** The CTE `h`: accounts whose posts the viewer is spared. `withMuted` is the placeholder of a boolean. */
export function hiddenAccounts(viewer: string, withMuted: string): string {
  return `h as materialized (
    select target_id as id from blocks where account_id = ${viewer} and ${isUnexpired('blocks')}
    union all select account_id from blocks where target_id = ${viewer} and ${isUnexpired('blocks')}
    union all select target_id from mutes where account_id = ${viewer} and not ${withMuted}::boolean and ${isUnexpired('mutes')})`;
}

/** The CTE `h` without mutes: for places where muted people are shown. */
export function blockedAccounts(viewer: string): string {
  return `h as materialized (
    select target_id as id from blocks where account_id = ${viewer} and ${isUnexpired('blocks')}
    union all select account_id from blocks where target_id = ${viewer} and ${isUnexpired('blocks')})`;
}

/** The CTE `g`: whether the viewer has any domain blocks and thread mutes, so that others do not pay for them. */
export function gates(viewer: string): string {
  return `g as materialized (select
    exists(select from domain_blocks where account_id = ${viewer}) as domains,
    exists(select from thread_mutes where account_id = ${viewer} and ${isUnexpired('thread_mutes')}) as threads)`;
}

/** The entry's author is not hidden; needs `h`. */
export function isNotHidden(account: string): string {
  return `${account} not in (select id from h)`;
}

/** The post addresses nobody who is hidden, unless it is the viewer's own; needs `h`. */
export function addressesNobodyHidden(status: string, viewer: string): string {
  return `(${status}.flags & ${StatusFlag.mentions} = 0 or ${status}.author_id = ${viewer}
    or not ${someRow(`mentions m where m.status_id = ${status}.id and m.account_id in (select id from h)`)})`;
}

/** None of the accounts is of a domain that the viewer blocked, unless followed; needs `g`. */
export function isOutsideBlockedDomains(accounts: readonly string[], viewer: string): string {
  return areOfNoBlockedDomain(accounts, viewer, `and not ${isFollowed('a.id', viewer)}`);
}

/** The account is of no domain that the viewer blocked, be it followed or not: for what is looked for; needs `g`. */
export function isOfNoBlockedDomain(account: string, viewer: string): string {
  return areOfNoBlockedDomain([account], viewer);
}

/** `among` says of which accounts `a` that is asked alone. */
function areOfNoBlockedDomain(accounts: readonly string[], viewer: string, among = ''): string {
  const blocked = `accounts a join domain_blocks d on d.domain = a.domain and d.account_id = ${viewer}
    where a.id in (${accounts.join(', ')}) ${among}`;
  return `(not (select domains from g) or not ${someRow(blocked)})`;
}

/** The viewer has not muted the post's thread; needs `g`. */
export function isThreadNotMuted(status: string, viewer: string): string {
  const muted = `thread_mutes where account_id = ${viewer} and conversation_id = ${status}.conversation_id and ${isUnexpired('thread_mutes')}`;
  return `(not (select threads from g) or not ${someRow(muted)})`;
}

/**
 * The CTE `ct`: whether the viewer is spared posts of threads that the viewer may see only in part. `on` is the placeholder
 * of a boolean: whether the server does so at all.
 */
export function containment(viewer: string, on: string): string {
  return `ct as materialized (select ${on}::boolean
    and not coalesce((select skip_thread_containment from accounts where id = ${viewer}), false) as contained)`;
}

/** As far up as a thread is shown. */
const HEIGHT = 100;

/**
 * The two parts of a recursive CTE `above`: the posts that `below` answers, and so on. `below` is a source of rows with
 * `in_reply_to_id`; `key` are columns of it that are wanted besides, each with a comma.
 */
export function postsAbove(below: string, key: (row: string) => string = () => ''): string {
  const columns = 'a.id, a.author_id, a.visibility, a.flags, a.in_reply_to_id';
  return `select ${key('below')}${columns}, 1 as height from ${below} join statuses a on a.id = below.in_reply_to_id
    union all
    select ${key('above')}${columns}, above.height + 1
    from above join statuses a on a.id = above.in_reply_to_id where above.height < ${HEIGHT}`;
}

/** The viewer may see all that the post answers, unless it is the viewer's own; needs `ct`. */
export function isThreadVisible(status: string, viewer: string): string {
  const closed = `(with recursive above as (${postsAbove(`(select ${status}.in_reply_to_id) below`)})
      select true from above where not ${maySee('above', viewer)} limit 1)`;
  return `(${status}.in_reply_to_id is null or not (select contained from ct) or ${status}.author_id = ${viewer}
    or not coalesce(${closed}, false))`;
}

/** Values of the switch of {@link matchesReplies}. */
export const Replies = { all: 0, following: 1, self: 2 } as const;

/** `reply_visibility`: replies to everybody, to the viewer and people followed, or to the viewer only. */
export function matchesReplies(status: string, viewer: string, choice: string): string {
  const recipient = `mentions m where m.status_id = ${status}.id and m.account_id <> ${status}.author_id
      and (m.account_id = ${viewer} or ${choice}::int = ${Replies.following} and ${isFollowed('m.account_id', viewer)})`;
  return `(${choice}::int = ${Replies.all} or ${status}.in_reply_to_account_id is null or ${status}.author_id = ${viewer}
    or ${someRow(recipient)})`;
}

/** `exclude_replies`: a boolean switch; what authors answer to themselves stays. */
export function matchesExcludedReplies(status: string, excludeReplies: string): string {
  return `(not ${excludeReplies}::boolean or ${status}.in_reply_to_account_id is null
    or ${status}.in_reply_to_account_id = ${status}.author_id)`;
}

/** The CTE `tag`: the hashtag of a name, which may be null. */
export function namedTag(name: string): string {
  return `tag as materialized (select id from hashtags where name = ${name})`;
}

/** `tagged`: the name of a hashtag, null for posts with or without any; needs `tag`. */
export function matchesTag(status: string, name: string): string {
  return `(${name}::text is null or ${status}.flags & ${StatusFlag.tags} <> 0
    and ${someRow(`status_hashtags st where st.status_id = ${status}.id and st.hashtag_id = (select id from tag)`)})`;
}

/** `only_media`: a boolean switch. */
export function matchesMedia(status: string, onlyMedia: string): string {
  return `(not ${onlyMedia}::boolean or ${status}.flags & ${StatusFlag.media} <> 0)`;
}

/** `local` and `remote`: a switch that is null for both, true for posts made here, false for others. */
export function matchesOrigin(status: string, local: string): string {
  return `(${local}::boolean is null or ${status}.local = ${local}::boolean)`;
}

/** `exclude_visibilities`: an array of stored visibilities. */
export function matchesVisibility(status: string, excluded: string): string {
  return `${status}.visibility <> all(${excluded}::smallint[])`;
}
