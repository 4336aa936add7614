import { isAccepted, isFollowed } from '../../accounts/index.js';
import { cte, fragment } from '../../platform/index.js';
import { isAnswer } from '../../statuses/index.js';
import { type Accounts, firstLook, type FirstLookRow } from './first-look.sql.js';
import { type Chosen, perDirection, pull, type Sources } from './pull.sql.js';

/** A list in a statement: columns or sub-selects. */
interface ListColumns {
  readonly id: string;
  readonly owner: string;
  readonly policy: string;
}

/** The list's `replies_policy` allows the post. */
export function matchesRepliesPolicy(status: string, { id, owner, policy }: ListColumns): string {
  const answered = `${status}.in_reply_to_account_id`;
  const isMember = `coalesce((select true from list_members z where z.list_id = ${id} and z.account_id = ${answered}), false)`;
  return `(not ${isAnswer(status)} or ${answered} in (${status}.author_id, ${owner})
    or ${policy} = 'list' and ${isMember} or ${policy} = 'followed' and ${isFollowed(answered, owner)})`;
}

// $11 is the list, which must belong to the reader. The follow of a member says whether the reader wants its boosts.
// Members that have not accepted the reader's request are not shown.
const list = cte('list', `select id, replies_policy from lists where id = $11::bigint and account_id = $1`);
const policy = matchesRepliesPolicy('post', {
  id: '$11::bigint',
  owner: '$1',
  policy: '(select replies_policy from list)',
});

const sources: Sources = {
  followees: cte(
    'followees',
    fragment`select m.account_id as id, coalesce(f.reblogs, true) as reblogs
      from ${list} join list_members m on m.list_id = list.id left join follows f on f.id = m.follow_id
      where f.id is null or ${isAccepted('f')}`,
  ),
  matches: `(s.reblog_of_id is not null or ${policy})`,
  tags: false,
  languages: false,
};

export const listPull = pull('list', sources);

// A first look reads who is a member by the index alone, and asks for the follow of an author of a post that it may show.
const ownList = fragment`(select id from ${list})`;

const inOrder = (order: string) => (count: number) => fragment`select account_id as id from list_members
      where list_id = ${ownList} order by account_id ${order} limit ${count}`;

const members: Accounts = {
  all: fragment`select account_id as id from list_members where list_id = ${ownList}`,
  first: inOrder('asc'),
  last: inOrder('desc'),
};

const hasMember = (account: string, matches: string) => fragment`coalesce((
      select ${matches} from list_members m left join follows f on f.id = m.follow_id
      where m.list_id = $11::bigint and m.account_id = ${account} and (f.id is null or ${isAccepted('f')})), false)`;

const oneByOne: Chosen = {
  has: (account) => hasMember(account, 'true'),
  wantsBoostsOf: (account) => hasMember(account, 'coalesce(f.reblogs, true)'),
};

const ofMembers: Sources = {
  ...sources,
  matches: fragment`case when s.reblog_of_id is null then ${oneByOne.has('s.author_id')} else ${oneByOne.wantsBoostsOf('s.author_id')} end
    and ${sources.matches}`,
};

export const listFirstLook = perDirection<FirstLookRow>('list.first_look', (direction) =>
  firstLook(direction, members, ofMembers, oneByOne),
);
