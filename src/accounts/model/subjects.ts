/*
 * What the tables report as changed (migration `ChangeReports`, docs/adr/0025): posts and accounts by their ids, and the following.
 */

/**
 * What an account does with posts and other accounts, and they with it: follows, blocks, favourites, filters. Also its
 * settings and moderation tags.
 */
export const relationsOf = (accountId: string) => `~${accountId}`;

/** The posts and boosts of an account: which there are. */
export const statusesOf = (accountId: string) => `+${accountId}`;

/** The rows of a reader's home feed. */
export const feedOf = (accountId: string) => `@${accountId}`;

export const notificationsOf = (accountId: string) => `!${accountId}`;

/** Handles and addresses of new accounts, and new ones of existing accounts. */
export const NEW_NAMES = '?';

/**
 * New handles of accounts, for values that are not voided by the change of everything that is reported with it (migrations
 * `AccountRenames`, `AnsweredRenames`).
 */
export const RENAMES = '=';

/** The answers to a post: which there are (migration `AnswerReports`). */
export const answersTo = (statusId: string) => `>${statusId}`;

/** The posts of public timelines: which there are. */
export const PUBLIC_POSTS = '#';

/**
 * What a list depends on that is made for a viewer: whom it hides, and the viewer's own posts. For statements that replicas
 * answer (docs/adr/0035). Anonymous callers have the id `''`.
 */
export function subjectsOfViewer(viewerId: unknown): string[] {
  if (typeof viewerId !== 'string' || viewerId === '') return [];
  return [viewerId, relationsOf(viewerId), statusesOf(viewerId)];
}

/** What a list of accounts was read from, whose viewer is `$1` of the statement. */
export function subjectsOfAccounts(
  [viewerId]: readonly unknown[],
  rows: readonly { readonly id: string; readonly movedToId: string | null }[],
): string[] {
  const shown = rows.flatMap(({ id, movedToId }) => (movedToId === null ? [id] : [id, movedToId]));
  return [...subjectsOfViewer(viewerId), ...shown];
}
