import { columnNames, columns, cte, type Fragment, fragment, snakeCase, someRow } from '../../platform/index.js';
import { Status } from './status.entities.js';
import { StatusFlag } from './status.flags.js';
import { maySee } from './visibility.js';
import {
  blockPairs,
  isFollowed,
  isUnexpired,
  mutePairs,
  mutesThread,
  serverNames,
  subjectsOfViewer,
} from '../../accounts/index.js';

/*
 * Building blocks of page statements, which find the statuses of a list. A page has narrow rows only (PageRow), since
 * rendered bodies are cached by (id, version). Every block is an SQL fragment over aliases and placeholders that its
 * caller chooses, and brings the CTEs that it reads. The switches of a filter are parameters, so that a list is one
 * statement per direction. All filters stand before `limit`: a page is never sparse.
 *
 *   const hidden = hiddenAccounts('$1', '$4');
 *   selectPage('$1', fragment`
 *     select f.status_id as feed_id, f.author_id as entry_author_id, ${PAGE_KEYS} from … join statuses post on …
 *     where ${isNotHidden('post.author_id', hidden)} and … order by f.status_id desc limit $5`, 'page.feed_id desc')
 *
 * `post` is the post, `entry` a boost of it where there is one.
 */

/** One row of a page: the fields that change without a new version of the post, or that depend on the viewer. */
export interface PageRow {
  /** Id of the entry: the boost's own id, else the post's. */
  readonly feedId: string;
  /** The booster of a boost, else the author. */
  readonly entryAuthorId: string;
  /** The post. */
  readonly id: string;
  readonly authorId: string;
  readonly version: number;
  readonly flags: number;
  readonly conversationId: string | null;
  readonly quoteOfId: string | null;
  readonly local: boolean;
  readonly visibility: number;
  /** The author's choice of who may quote the post. */
  readonly quotePolicy: number | null;
  /** Null when the post is not a reply, and when the viewer may not see the parent. */
  readonly inReplyToId: string | null;
  readonly replies: number;
  readonly reblogs: number;
  readonly favourites: number;
  readonly quotes: number;
  /** Number of reactions. Their emoji are loaded only when it is not 0. */
  readonly reactions: number;
  /** These are null unless the entry is a boost. */
  readonly entryCreatedAt: string | null;
  readonly entryVisibility: number | null;
  readonly entryLocal: boolean | null;
}

const OF_POST = [
  'id',
  'authorId',
  'version',
  'flags',
  'conversationId',
  'quoteOfId',
  'local',
  'visibility',
  'quotePolicy',
] as const satisfies readonly (keyof Status)[];

/** What a page was read from, whose viewer is `$1` of the statement: for those that replicas answer (docs/adr/0035). */
export function subjectsOfPage([viewerId]: readonly unknown[], rows: readonly PageRow[]): string[] {
  return [...subjectsOfViewer(viewerId), ...rows.flatMap(subjectsOfRow)];
}

/** The posts and accounts that a row was read from. */
export function subjectsOfRow({ id, feedId, authorId, entryAuthorId, quoteOfId, inReplyToId }: PageRow): string[] {
  return [id, feedId, authorId, entryAuthorId, quoteOfId, inReplyToId].filter((subject) => subject !== null);
}

/** Columns of the post `post` that a page reads besides `feed_id` and `entry_author_id`. */
export const PAGE_KEYS = columnNames(Status, [...OF_POST, 'inReplyToId'], 'post');

/**
 * Completes the narrow rows of `page` to page rows in an order; also returns `further` properties, which are columns of it.
 */
export function selectPage(
  viewer: string,
  page: string | Fragment,
  order?: string,
  further: readonly string[] = [],
): Fragment {
  const more = further.map((property) => `page.${snakeCase(property)} as "${property}", `);
  return fragment`select ${more.join('')}
      page.feed_id as "feedId", page.entry_author_id as "entryAuthorId", ${columns(Status, 'page', OF_POST)},
      (select parent.id from statuses parent where parent.id = page.in_reply_to_id and ${maySee('parent', viewer)}) as "inReplyToId",
      coalesce(t.replies, 0) as replies, greatest(t.reblogs, t.remote_reblogs, 0) as reblogs,
      greatest(t.favourites, t.remote_favourites, 0) as favourites, coalesce(t.quotes, 0) as quotes,
      coalesce(t.reactions, 0) as reactions,
      reblog.created_at as "entryCreatedAt", reblog.visibility as "entryVisibility", reblog.local as "entryLocal"
    from ${cte('page', page)} left join status_stats t on t.status_id = page.id
      left join statuses reblog on reblog.id = case when page.feed_id <> page.id then page.feed_id end
    ${order === undefined ? '' : `order by ${order}`}`;
}

const hiddenFrom = (viewer: string) => (table: string, owner: string, hidden: string) =>
  `select ${hidden} as id from ${table} where ${owner} = ${viewer}`;

/** The accounts whose posts are hidden from the viewer. `withMuted` is the placeholder of a boolean. */
export function hiddenAccounts(viewer: string, withMuted: string): Fragment {
  return cte(
    'hidden_accounts',
    `${blockPairs(hiddenFrom(viewer))} union all ${mutePairs(hiddenFrom(viewer))} and not ${withMuted}::boolean`,
  );
}

/** The same without mutes: for places that show muted accounts. */
export function blockedAccounts(viewer: string): Fragment {
  return cte('hidden_accounts', blockPairs(hiddenFrom(viewer)));
}

/** Whether the viewer has domain blocks and thread mutes at all, so that the checks cost other viewers nothing. */
function viewerFlags(viewer: string): Fragment {
  return cte(
    'viewer_flags',
    `select
    exists(select from domain_blocks where account_id = ${viewer}) as has_domain_blocks,
    exists(select from thread_mutes where account_id = ${viewer} and ${isUnexpired('thread_mutes')}) as has_thread_mutes`,
  );
}

/** The account is not hidden. `hidden` is {@link hiddenAccounts} or {@link blockedAccounts}. */
export function isNotHidden(account: string, hidden: Fragment): Fragment {
  return fragment`${account} not in (select id from ${hidden})`;
}

/** The post names no hidden account and answers none, unless it is the viewer's own. */
export function mentionsNoHidden(status: string, viewer: string, hidden: Fragment): Fragment {
  const mention = fragment`mentions m where m.status_id = ${status}.id and not m.silent and m.account_id in (select id from ${hidden})`;
  return fragment`(${status}.author_id = ${viewer} or (${status}.flags & ${StatusFlag.mentions} = 0 or not ${someRow(mention)})
    and ${isNotHidden(`coalesce(${status}.in_reply_to_account_id, '')`, hidden)})`;
}

/** None of the accounts is on a domain that the viewer blocks, except accounts that the viewer follows. */
export function isOutsideBlockedDomains(accounts: readonly string[], viewer: string): Fragment {
  return areOfNoBlockedDomain(accounts, viewer, `and not ${isFollowed('a.id', viewer)}`);
}

/** The account is not on a domain that the viewer blocks, even if the viewer follows it. For searches. */
export function isOfNoBlockedDomain(account: string, viewer: string): Fragment {
  return areOfNoBlockedDomain([account], viewer);
}

/** `among` is a condition that limits the check to some of the accounts `a`. */
function areOfNoBlockedDomain(accounts: readonly string[], viewer: string, among = ''): Fragment {
  const blocked = `accounts a join domain_blocks d on d.domain = any(${serverNames('a')}) and d.account_id = ${viewer}
    where a.id in (${accounts.join(', ')}) ${among}`;
  return fragment`(not (select has_domain_blocks from ${viewerFlags(viewer)}) or not ${someRow(blocked)})`;
}

/** The viewer has not muted the post's thread. */
export function isThreadNotMuted(status: string, viewer: string): Fragment {
  const isMuted = mutesThread(viewer, `${status}.conversation_id`);
  return fragment`(not (select has_thread_mutes from ${viewerFlags(viewer)}) or not ${isMuted})`;
}

/** Maximum number of ancestors that are checked. */
const HEIGHT = 100;

/**
 * The two parts of a recursive CTE `above`: the ancestors of the rows of `below`, which must have `in_reply_to_id`.
 * `key` are further columns of `below` to return, each followed by a comma.
 */
export function statusesAbove(below: string, key: (row: string) => string = () => ''): string {
  const columns = 'a.id, a.author_id, a.visibility, a.flags, a.in_reply_to_id';
  return `select ${key('below')}${columns}, 1 as height from ${below} join statuses a on a.id = below.in_reply_to_id
    union all
    select ${key('above')}${columns}, above.height + 1
    from above join statuses a on a.id = above.in_reply_to_id where above.height < ${HEIGHT}`;
}

/**
 * The viewer may see every post above this one, unless it is the viewer's own or the viewer turned thread containment
 * off. `isOn` is the placeholder of a boolean: whether the server contains threads.
 */
export function isThreadVisible(status: string, viewer: string, isOn: string): Fragment {
  const containment = cte(
    'containment',
    `select ${isOn}::boolean
    and not coalesce((select skip_thread_containment from accounts where id = ${viewer}), false) as contained`,
  );
  const closed = `(with recursive above as (${statusesAbove(`(select ${status}.in_reply_to_id) below`)})
      select true from above where not ${maySee('above', viewer)} limit 1)`;
  return fragment`(${status}.in_reply_to_id is null or not (select contained from ${containment}) or ${status}.author_id = ${viewer}
    or not coalesce(${closed}, false))`;
}

/**
 * Whether a status is a reply. A reply to a post that is not known here has no account that it answers: it is to others.
 * The planner knows how many rows have each column, but not how many have one of them by `coalesce`.
 */
export function isAnswer(status: string): string {
  return `(${status}.in_reply_to_account_id is not null or ${status}.in_reply_to_uri is not null)`;
}

/** The address of what a post quotes, where the quote was refused or the quoted post deleted: no row says who wrote that. */
export function endedQuoteUri(status: string): string {
  return `case when ${status}.quote_of_id is null then ${status}.quote_uri end`;
}

/** Values of the option of {@link matchesReplies}. */
export const Replies = { all: 0, following: 1, self: 2 } as const;

/**
 * `reply_visibility`: all replies, replies to the viewer and followees, or replies to the viewer only. A reply is to
 * the author it answers, which may be its own author, and to those whom it mentions.
 */
export function matchesReplies(status: string, viewer: string, choice: string): string {
  const answered = `${status}.in_reply_to_account_id`;
  const followed = (account: string) => `${choice}::int = ${Replies.following} and ${isFollowed(account, viewer)}`;
  const recipient = `mentions m where m.status_id = ${status}.id and m.account_id <> ${status}.author_id
      and (m.account_id = ${viewer} or not m.silent and ${followed('m.account_id')})`;
  return `(${choice}::int = ${Replies.all} or not ${isAnswer(status)} or ${viewer} in (${status}.author_id, ${answered})
    or ${followed(answered)} or ${someRow(recipient)})`;
}

/** `exclude_replies`: a boolean. Keeps replies of authors to themselves. */
export function matchesExcludedReplies(status: string, excludeReplies: string): string {
  return `(not ${excludeReplies}::boolean or not ${isAnswer(status)}
    or ${status}.in_reply_to_account_id = ${status}.author_id)`;
}

/** `tagged`: the name of a hashtag; null matches all posts. */
export function matchesTag(status: string, name: string): Fragment {
  const tag = cte('tag', `select id from hashtags where name = ${name}`);
  const tagged = fragment`status_hashtags st where st.status_id = ${status}.id and st.hashtag_id = (select id from ${tag})`;
  return fragment`(${name}::text is null or ${status}.flags & ${StatusFlag.tags} <> 0
    and ${someRow(tagged)})`;
}

/** `only_media`: a boolean. */
export function matchesMedia(status: string, onlyMedia: string): string {
  return `(not ${onlyMedia}::boolean or ${status}.flags & ${StatusFlag.media} <> 0)`;
}

/** `local` and `remote`: null for both, true for local posts, false for remote posts. */
export function matchesOrigin(status: string, local: string): string {
  return `(${local}::boolean is null or ${status}.local = ${local}::boolean)`;
}

/** `exclude_visibilities`: an array of stored visibilities. */
export function matchesVisibility(status: string, excluded: string): string {
  return `${status}.visibility <> all(${excluded}::smallint[])`;
}
