import type { RowOf } from '../../platform/index.js';
import type { Status } from './status.entities.js';

/** The columns of a status that its removal needs. */
export const OF_REMOVED = [
  'id',
  'authorId',
  'visibility',
  'inReplyToId',
  'reblogOfId',
  'quoteOfId',
  'flags',
  'editedAt',
  'expiresAt',
] as const;

/** A locked status that is about to be removed. */
export interface RemovedStatus extends RowOf<Status, (typeof OF_REMOVED)[number]> {
  readonly parentVisibility: number | null;
  readonly quotedVisibility: number | null;
}

/** A status or a boost whose row was deleted. */
export interface RemovedEntry {
  readonly authorId: string;
  readonly visibility: number;
}

/** As {@link RemovedEntry}, with whether this server counts the posts of the author. */
export interface ForgottenEntry extends RemovedEntry {
  readonly isCounted: boolean;
}
