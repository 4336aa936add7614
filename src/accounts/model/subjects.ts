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

/** The answers to a post: which there are (migration `AnswerReports`). */
export const answersTo = (statusId: string) => `>${statusId}`;

/** The posts of public timelines: which there are. */
export const PUBLIC_POSTS = '#';
