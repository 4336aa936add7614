import { MAX_COUNTED } from '../../common/index.js';
import { fragment, type Keyset, sql, type Statement, someRow } from '../../platform/index.js';
import {
  blockedAccounts,
  hiddenAccounts,
  isThreadNotMuted,
  isOutsideBlockedDomains,
  isNotHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../model/page.sql.js';
import { isDeactivated, maySee, DIRECT } from '../model/visibility.js';
import { hidesServerOf, mutes, mutesThread } from '../../accounts/index.js';

/** One participant's view of a conversation, with the page row of its last post or with nulls. */
export type ConversationRow = {
  readonly participationId: string;
  /** Also where the owner may not see this post: the list is ordered and paged by it. */
  readonly lastStatusId: string;
  /**
   * False where the owner may not see the last post, since apps show no conversation to read then, and while the thread is muted:
   * neither is counted.
   */
  readonly unread: boolean;
  /** Account ids, without deactivated accounts. */
  readonly participants: readonly string[];
  /** Account ids, without deactivated accounts but including the owner. */
  readonly recipients: readonly string[];
} & (PageRow | { readonly id: null });

/** Maximum number of participants that are stored. */
const PEOPLE = 100;

const isUnreadFor = (account: string) => `${account} <> author.id and not ${mutes(account, 'author.id')}
  and not ${hidesServerOf(account, 'author')} and not ${mutesThread(account, 'post.conversation_id')}`;

/** The participants of a row and of the one that would be inserted. */
const together = `(c.participants || array(
       select id from unnest(excluded.participants) as new(id) where id <> all(c.participants)))[1:${PEOPLE}]`;

/** Which post is the first unread one of a row and of the one that would be inserted. */
const firstUnread = `case
       when not c.unread then excluded.unread_from
       when excluded.unread and c.unread_from > excluded.unread_from then excluded.unread_from
       else c.unread_from end`;

/**
 * `$1` is a direct post. Marks the conversation as read for the author and as unread for the others. Writes rows in the
 * order of the accounts, so that two posts in one conversation cannot deadlock.
 */
export const joinConversation = sql(
  'conversations.join',
  `with post as materialized (select id, author_id, conversation_id from statuses where id = $1),
     person as materialized (
       select author_id as account_id from post union select account_id from mentions where status_id = $1),
     crowd as materialized (select (array_agg(account_id order by account_id))[1:${PEOPLE}] as ids from person)
   insert into conversation_participants as c
     (account_id, conversation_id, last_status_id, participants, unread, unread_from)
   select u.account_id, post.conversation_id, post.id, crowd.ids,
     ${isUnreadFor('u.account_id')}, post.id
   from post join accounts author on author.id = post.author_id, crowd, person join users u on u.account_id = person.account_id
   order by u.account_id
   on conflict (account_id, conversation_id) do update set
     last_status_id = greatest(c.last_status_id, excluded.last_status_id),
     participants = ${together},
     unread = c.account_id <> (select author_id from post) and (c.unread or excluded.unread),
     unread_from = ${firstUnread}`,
);

/** Serializes deletions in one conversation, so that each finds the right last post. */
export const lockConversation = sql(
  'conversations.lock',
  `select from conversations where id = (select conversation_id from statuses where id = $1) for no key update`,
);

// The post before `$1`, which is being deleted. Index: conversation_participants_conversation, statuses_conversation.
const previous = `(select post.id, post.author_id from statuses post
   where post.conversation_id = c.conversation_id and post.id < $1 and ${DIRECT.sql('post')}
     and (post.author_id = c.account_id or ${someRow('mentions m where m.status_id = post.id and m.account_id = c.account_id')})
   order by post.id desc limit 1)`;
const OF_DELETED = `c.conversation_id = (select conversation_id from statuses where id = $1) and c.last_status_id = $1`;

/**
 * Replaces a last post by the one before it, where there is one; returns where. Accounts have read up to their own posts, and all
 * posts before the first unread one.
 */
export const stepBack = sql<{ id: string; accountId: string; isKept: boolean }>(
  'conversations.step_back',
  `update conversation_participants c set (last_status_id, unread) = (
     select coalesce(max(id), $1),
       c.unread and coalesce(bool_and(author_id <> c.account_id and id >= coalesce(c.unread_from, '')), false)
     from ${previous} before)
   where ${OF_DELETED}
   returning c.id, c.account_id as "accountId", c.last_status_id <> $1 as "isKept"`,
);

/** Removes conversations that have no post but `$1`. */
export const leaveConversation = sql(
  'conversations.leave',
  `delete from conversation_participants c where ${OF_DELETED}`,
);

/** The conversation of the post `$1`, which is not deleted before the unit ends. */
export const lockTarget = sql<{ conversationId: string | null }>(
  'conversations.lock_target',
  `select conversation_id as "conversationId" from statuses where id = $1 for key share`,
);

/**
 * Whether the post `$1` stands alone in its conversation. Posts that come later name that of a context which their server
 * states, so that it stays theirs. Index: statuses_conversation.
 */
export const isAlone = sql(
  'conversations.is_alone',
  `select from statuses s join conversations c on c.id = s.conversation_id
   where s.id = $1 and c.uri = s.uri and not ${someRow('statuses other where other.conversation_id = c.id and other.id <> s.id')}`,
);

/** Whether posts stand in the conversation `$1`. Index: statuses_conversation. */
export const hasStatuses = sql('conversations.has_statuses', `select from statuses where conversation_id = $1 limit 1`);

/** Moves up to `$3` posts of the conversation `$1` to `$2`, the oldest first. Index: statuses_conversation. */
export const moveStatuses = sql(
  'conversations.move_statuses',
  `with slice as materialized (
     select id from statuses where conversation_id = $1 order by id limit $3 for no key update)
   update statuses s set conversation_id = $2, version = s.version + 1 from slice where s.id = slice.id`,
);

/**
 * Moves up to `$3` participants of the conversation `$1` to `$2`; returns their rows there. Who takes part in both has one row
 * then, under the older id, which scheduled posts follow. Writes rows in the order of the accounts, as joining does. Index:
 * conversation_participants_conversation, conversation_participants_pair, scheduled_statuses_account.
 */
export const moveParticipants = sql<{ id: string; ownerId: string }>(
  'conversations.move_participants',
  `with slice as materialized (
     select * from conversation_participants where conversation_id = $1 order by account_id limit $3 for update),
   gone as (delete from conversation_participants c using slice where c.id = slice.id returning c.*),
   moved as (
     insert into conversation_participants as c
       (id, account_id, conversation_id, last_status_id, participants, recipients, unread, unread_from)
     select id, account_id, $2, last_status_id, participants, recipients, unread, unread_from from gone order by account_id
     on conflict (account_id, conversation_id) do update set
       id = least(c.id, excluded.id),
       last_status_id = greatest(c.last_status_id, excluded.last_status_id),
       participants = ${together},
       recipients = coalesce(c.recipients, excluded.recipients),
       unread = c.unread or excluded.unread,
       unread_from = ${firstUnread}
     returning id, account_id),
   scheduled as (
     update scheduled_statuses q set options = jsonb_set(q.options, '{inReplyToConversationId}', to_jsonb(moved.id::text))
     from moved join slice using (account_id)
       left join conversation_participants former on former.account_id = moved.account_id and former.conversation_id = $2
     where q.account_id = moved.account_id
       and q.options->>'inReplyToConversationId' in (slice.id::text, former.id::text))
   select id, account_id as "ownerId" from moved`,
);

const blocked = blockedAccounts('$1');
const others = fragment`unnest(c.participants) as person(id)
  where person.id <> $1 and ${isNotHidden('person.id', blocked)} and not ${isDeactivated('person.id')}
    and ${isOutsideBlockedDomains(['person.id'], '$1')}`;
/** The conversation has a participant whom the owner may see, or no other participant. */
const isKept = fragment`(cardinality(c.participants) <= 1 or ${someRow(others)})`;
/** Those who are stored, retention may have removed others, and not deactivated. Index: accounts_pkey. */
const present = (people: string) =>
  `array(select person.id from unnest(${people}) with ordinality as person(id, at)
     where ${someRow('accounts a where a.id = person.id and a.deactivated_at is null')} order by at)`;

/** The accounts that get the owner's next post. */
const RECIPIENTS = 'coalesce(c.recipients, c.participants)';

/** The owner's view of a conversation, as actions on it need it. */
export interface ParticipationRow {
  readonly conversationId: string;
  /** Account ids, without deactivated accounts but including the owner. */
  readonly recipients: readonly string[];
}

/** The conversation `$2` of the owner `$1`, if the list shows it. Index: the primary key. */
export const ownConversation = sql<ParticipationRow>(
  'conversations.own',
  fragment`select c.conversation_id as "conversationId", ${present(RECIPIENTS)} as recipients
   from conversation_participants c where c.account_id = $1 and c.id = $2 and ${isKept}`,
);

const COLUMNS = ['participationId', 'lastStatusId', 'unread', 'participants', 'recipients'];

/** Selects rows of the owner `$1` with everything their view needs; `where` and `order` refer to `c`. */
function rows(name: string, where: string, order = ''): Statement<ConversationRow> {
  return sql<ConversationRow>(
    `conversations.${name}`,
    selectPage(
      '$1',
      fragment`select c.id as participation_id, c.unread and post.id is not null and ${isThreadNotMuted('post', '$1')} as unread, c.last_status_id, ${present('c.participants')} as participants,
         ${present(RECIPIENTS)} as recipients,
         post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
       from conversation_participants c left join statuses post on post.id = c.last_status_id and ${maySee('post')}
         and ${isNotHidden('post.author_id', blocked)} and ${isOutsideBlockedDomains(['post.author_id'], '$1')}
       where c.account_id = $1 and ${isKept} and ${where} ${order}`,
      'page.last_status_id desc, page.participation_id desc',
      COLUMNS,
    ),
  );
}

/**
 * The last post at a bound, which is a last post already or the decimal id of a row. A deleted row is just above the row
 * with the next lower id. Index: conversation_participants_cursor.
 */
const place = (bound: string) => `case when ${bound} ~ '^[0-9]{1,17}$' then coalesce((
     select q.last_status_id || case when q.id < ${bound}::bigint then '~' else '' end
     from conversation_participants q where q.account_id = $1 and q.id <= ${bound}::bigint
     order by q.id desc limit 1), '') else ${bound} end`;

// $2 below, $3 above, $4 recipients or null, $5 limit, $6 offset.
const page = (direction: Keyset['direction']) => {
  const order = direction === 'older' ? 'desc' : 'asc';
  return rows(
    `page.${direction}`,
    `c.last_status_id < ${place('$2')} and c.last_status_id > ${place('$3')}
       and ($4::text[] is null or ${RECIPIENTS} @> $4 and ${present(RECIPIENTS)} <@ $4)`,
    `order by c.last_status_id ${order}, c.id ${order} limit $5 offset $6`,
  );
};

/** Rows come with the latest post first in both directions of the scan. Index: conversation_participants_page. */
export const conversationPage = { older: page('older'), newer: page('newer') };

/** Index: the primary key. */
export const conversationsByIds = rows('by_ids', 'c.id = any($2::bigint[])');

// $2 conversation, $3 below, $4 above, $5 with_muted, $6 limit. Index: statuses_conversation.
const statuses = (direction: Keyset['direction']) =>
  sql<PageRow>(
    `conversations.statuses.${direction}`,
    selectPage(
      '$1',
      fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS} from statuses post
       where post.conversation_id = $2 and post.id < $3 and post.id > $4 and ${DIRECT.sql('post')}
         and ${maySee('post')} and ${isNotHidden('post.author_id', hiddenAccounts('$1', '$5'))}
         and ${isOutsideBlockedDomains(['post.author_id'], '$1')}
       order by post.id ${direction === 'older' ? 'desc' : 'asc'} limit $6`,
      'page.feed_id desc',
    ),
  );

/** The direct posts of a conversation that the viewer may see, newest first. */
export const conversationStatuses = { older: statuses('older'), newer: statuses('newer') };

/** Counts the conversations that the list shows as unread, among some of them where there are very many. Index: conversation_participants_unread. */
export const unreadConversations = sql<{ unread: number }>(
  'conversations.unread',
  fragment`select count(*)::int as unread from (
     select * from conversation_participants c where c.account_id = $1 and c.unread limit ${MAX_COUNTED}) c
     join statuses post on post.id = c.last_status_id
   where ${isKept} and ${maySee('post')} and ${isNotHidden('post.author_id', blocked)}
     and ${isOutsideBlockedDomains(['post.author_id'], '$1')} and ${isThreadNotMuted('post', '$1')}`,
);

/** The view of one of several participants. */
export type BatchConversationRow = Pick<
  ConversationRow,
  'participationId' | 'unread' | 'participants' | 'recipients'
> & { readonly accountId: string; readonly lastStatusId: string };

// `$1` are last posts, `$2` a participant for each. Index: conversation_participants_pair.
export const conversationsOf = sql<BatchConversationRow>(
  'conversations.of_statuses',
  `select c.id as "participationId", c.account_id as "accountId", c.last_status_id as "lastStatusId", c.unread,
     ${present('c.participants')} as participants,
     ${present(RECIPIENTS)} as recipients
   from unnest($1::text[], $2::text[]) as s(id, viewer_id) join statuses post on post.id = s.id
     join conversation_participants c on c.account_id = s.viewer_id and c.conversation_id = post.conversation_id
   where c.last_status_id = s.id`,
);
