import type { ReactionCountJson } from './reaction.shape.js';

/** An emoji under a status with the first who put it there. */
export interface ReactionRow extends ReactionCountJson {
  readonly account_ids: readonly string[];
}
