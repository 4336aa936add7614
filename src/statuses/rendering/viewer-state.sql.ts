import { blockPairs, isAccepted, isUnexpired } from '../../accounts/index.js';
import { QuotePolicy } from '../model/quote-policy.js';
import { DIRECT } from '../model/visibility.js';
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
    return select(branch, viewer, branch.from, [
      branch.viewer && `${branch.viewer} = ${viewer}`,
      branch.column && keys && `${branch.column} = any(${keys})`,
    ]);
  }).join('\n   union all ');
}

/**
 * The column of `pair` that a branch joins on, and a condition on `pair`. A row of `pair` is a pair of a viewer and a status.
 */
const PAIRED: Readonly<Record<ViewerStateKey, { readonly column: string; readonly where?: string }>> = {
  statuses: { column: 'pair.id' },
  threads: { column: 'pair.conversation_id' },
  authors: { column: 'pair.author_id' },
  own: { column: 'pair.id', where: 'pair.author_id = pair.viewer_id' },
  direct: { column: 'pair.id' },
  polls: { column: 'pair.id', where: 'pair.has_poll' },
  viewer: { column: '' },
};

/**
 * The same for many viewers, each row with its `viewerId`. Needs the CTE `pair` of pairs:
 * viewer_id, id, conversation_id, author_id and has_poll.
 */
export function viewerStateBranchesOfPairs(): string {
  return BRANCHES.map((branch) => {
    const { column, where } = PAIRED[branch.key];
    const from = branch.key === 'viewer' ? '(select distinct viewer_id from pair) pair' : 'pair';
    const condition = [
      branch.viewer && `${branch.viewer} = pair.viewer_id`,
      branch.column && `${branch.column} = ${column}`,
      where,
    ];
    return select(branch, 'pair.viewer_id', `${from}, ${branch.from}`, condition, 'pair.viewer_id as "viewerId"');
  }).join('\n   union all ');
}

function select(
  { kind, id, column = '', at, detail, where }: Branch,
  viewer: string,
  from: string,
  conditions: readonly (string | undefined)[],
  ...columns: string[]
): string {
  const row = [
    ...columns,
    `${kind} as kind`,
    `${id ?? column} as id`,
    `${at ?? 'null::timestamptz'} as at`,
    `${detail?.(viewer) ?? 'null::json'} as detail`,
  ];
  return `select ${row.join(', ')} from ${from} where ${[...conditions, where].filter(Boolean).join(' and ')}`;
}
