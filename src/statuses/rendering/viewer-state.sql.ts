import { blockPairs, isAccepted, isUnexpired } from '../../accounts/index.js';
import { QuotePolicy } from '../model/quote-policy.js';
import { DIRECT } from '../model/visibility.js';
import { someRow } from '../../platform/index.js';
import { pollColumns } from './status-parts.sql.js';

/** Kinds of {@link ViewerRow}. */
export const ViewerStateKind = {
  favourite: 1,
  reblog: 2,
  threadMute: 3,
  authorMute: 4,
  expiry: 5,
  conversation: 6,
  filters: 7,
  poll: 8,
  bookmark: 9,
  pin: 10,
  reactions: 11,
  list: 12,
  plain: 13,
  authorBlock: 14,
  followedChoice: 15,
} as const;

/** The keys that a branch is looked up by: a set of statuses, of threads, of authors, or the viewer alone. */
export type ViewerStateKey = 'statuses' | 'threads' | 'authors' | 'own' | 'direct' | 'polls' | 'viewer';

/** How one kind of state is selected. All members but `from` and `key` are SQL expressions over `from`. */
interface Branch {
  readonly kind: number;
  readonly from: string;
  readonly key: ViewerStateKey;
  readonly column?: string;
  /** The account whose state it is; missing where the state is the same for every viewer. */
  readonly viewer?: string;
  /** The id of the row; by default `column`. */
  readonly id?: string;
  readonly at?: string;
  readonly detail?: (viewer: string) => string;
  readonly where?: string;
}

/** Every kind of state but the reactions, once for both statements. */
const BRANCHES: readonly Branch[] = [
  {
    kind: ViewerStateKind.favourite,
    from: 'favourites t',
    key: 'statuses',
    column: 't.status_id',
    viewer: 't.account_id',
  },
  {
    kind: ViewerStateKind.reblog,
    from: 'statuses t',
    key: 'statuses',
    column: 't.reblog_of_id',
    viewer: 't.author_id',
  },
  {
    kind: ViewerStateKind.threadMute,
    from: 'thread_mutes t',
    key: 'threads',
    column: 't.conversation_id',
    viewer: 't.account_id',
    id: 't.conversation_id::text',
    at: 't.expires_at',
    where: isUnexpired('t'),
  },
  {
    kind: ViewerStateKind.authorMute,
    from: 'mutes t',
    key: 'authors',
    column: 't.target_id',
    viewer: 't.account_id',
    at: 't.expires_at',
    where: isUnexpired('t'),
  },
  {
    kind: ViewerStateKind.expiry,
    from: 'statuses t',
    key: 'own',
    column: 't.id',
    viewer: 't.author_id',
    at: 't.expires_at',
    where: 't.expires_at is not null',
  },
  {
    kind: ViewerStateKind.list,
    from: 'statuses t',
    key: 'own',
    column: 't.id',
    viewer: 't.author_id',
    detail: () => 'to_json(t.list_id::text)',
    where: 't.list_id is not null',
  },
  {
    kind: ViewerStateKind.conversation,
    from: 'statuses t join conversation_participants c on c.conversation_id = t.conversation_id',
    key: 'direct',
    column: 't.id',
    viewer: 'c.account_id',
    detail: () => 'to_json(c.id::text)',
    where: DIRECT.sql('t'),
  },
  {
    kind: ViewerStateKind.filters,
    from: 'users t',
    key: 'viewer',
    viewer: 't.account_id',
    id: 't.account_id',
    detail: () => 'to_json(t.filters_version)',
    where: 't.filters_version > 0',
  },
  {
    kind: ViewerStateKind.plain,
    from: 'users t',
    key: 'viewer',
    viewer: 't.account_id',
    id: `''`,
    where: 't.no_rich_text',
  },
  {
    kind: ViewerStateKind.poll,
    from: 'polls p',
    key: 'polls',
    column: 'p.status_id',
    at: 'p.expires_at',
    detail: pollColumns,
  },
  {
    kind: ViewerStateKind.bookmark,
    from: 'bookmarks t',
    key: 'statuses',
    column: 't.status_id',
    viewer: 't.account_id',
    detail: () => 'to_json(t.folder_id)',
  },
  // In both directions: neither may quote the other.
  {
    kind: ViewerStateKind.authorBlock,
    from: `(${blockPairs((table, viewer, hidden) => `select ${viewer} as account_id, ${hidden} as author_id from ${table} where true`)}) t`,
    key: 'authors',
    column: 't.author_id',
    viewer: 't.account_id',
  },
  // Posts that followers may quote, by an author whom the viewer follows.
  {
    kind: ViewerStateKind.followedChoice,
    from: 'statuses t join follows f on f.followee_id = t.author_id',
    key: 'statuses',
    column: 't.id',
    viewer: 'f.follower_id',
    where: `t.quote_policy = ${QuotePolicy.followers} and ${isAccepted('f')}`,
  },
  { kind: ViewerStateKind.pin, from: 'pins t', key: 'statuses', column: 't.status_id' },
];

/** Branches of a `union all` for one viewer; `sets` names the placeholder of each set of keys. */
export function viewerStateBranches(viewer: string, sets: Readonly<Partial<Record<ViewerStateKey, string>>>): string {
  return BRANCHES.map((branch) => {
    const keys = sets[branch.key];
    return select(branch, viewer, [
      branch.viewer && `${branch.viewer} = ${viewer}`,
      branch.column && keys && `${branch.column} = any(${keys})`,
    ]);
  }).join('\n   union all ');
}

/** The column of a status that a branch is looked up by, and a further condition on a `pair` of a viewer and a status. */
const PAIRED: Readonly<
  Record<Exclude<ViewerStateKey, 'viewer'>, { readonly column: string; readonly where?: string }>
> = {
  statuses: { column: 'id' },
  threads: { column: 'conversation_id' },
  authors: { column: 'author_id' },
  own: { column: 'id', where: 'pair.author_id = pair.viewer_id' },
  direct: { column: 'id' },
  polls: { column: 'id' },
};

/**
 * SQL: the kinds of state, a bit for each, that anybody has of a status or of its author: of most statuses nobody has any,
 * so that their viewers need not be asked for.
 */
export function stateKindsOf(status: string): string {
  const kinds = BRANCHES.flatMap(({ kind, key, from, column, where }) => {
    if (key === 'viewer') return [];
    const conditions = [`${column} = ${status}.${PAIRED[key].column}`, where].filter(Boolean).join(' and ');
    return bitOf(kind, `${from} where ${conditions}`);
  });
  return `(${[...kinds, bitOf(ViewerStateKind.reactions, `reactions r where r.status_id = ${status}.id`)].join(' | ')})`;
}

const bitOf = (kind: number, rows: string) => `case when ${someRow(rows)} then ${1 << kind} else 0 end`;

/** SQL: whether anybody has state of a kind of the status of a `pair`. */
export function hasState(kind: number): string {
  return `pair.kinds & ${1 << kind} <> 0`;
}

/** SQL: whether a row `t` of `users` wants something of all posts. */
export const WANTS_SOMETHING = `(${BRANCHES.filter(({ key }) => key === 'viewer')
  .map(({ where }) => where)
  .join(' or ')})`;

/**
 * {@link viewerStateBranches} for many viewers, each row with its `viewerId`. Needs the CTE `viewer` of those who
 * {@link WANTS_SOMETHING}, with viewer_id, and the CTE `pair` of a viewer and a status: viewer_id, id, conversation_id,
 * author_id and kinds, those of {@link stateKindsOf}. `offset 0` makes PostgreSQL look up each pair: it would rather read all
 * blocks of the server.
 */
export function viewerStateBranchesOfPairs(): string {
  return BRANCHES.map((branch) => {
    const row = branch.key === 'viewer' ? 'viewer' : 'pair';
    const conditions = [branch.viewer && `${branch.viewer} = ${row}.viewer_id`];
    if (branch.key !== 'viewer') {
      const { column, where } = PAIRED[branch.key];
      conditions.push(`${branch.column} = pair.${column}`, where);
    }
    const state = select(branch, `${row}.viewer_id`, conditions);
    const asked = branch.key === 'viewer' ? '' : ` where ${hasState(branch.kind)}`;
    return `select ${row}.viewer_id as "viewerId", state.* from ${row} cross join lateral (${state} offset 0) state${asked}`;
  }).join('\n   union all ');
}

function select(
  { kind, from, id, column = '', at, detail, where }: Branch,
  viewer: string,
  conditions: readonly (string | undefined)[],
): string {
  const row = [
    `${kind} as kind`,
    `${id ?? column} as id`,
    `${at ?? 'null::timestamptz'} as at`,
    `${detail?.(viewer) ?? 'null::json'} as detail`,
  ];
  return `select ${row.join(', ')} from ${from} where ${[...conditions, where].filter(Boolean).join(' and ')}`;
}
