import { REACTION_SAMPLE } from './reaction.entity.js';

/** The reactions that are read to show those to a status: so many, and the viewer's own. Index: reactions_one. */
export function sampledReactions(status: string, viewer: string): string {
  return `((select * from reactions other where other.status_id = ${status} and other.account_id <> ${viewer}
        order by other.account_id limit ${REACTION_SAMPLE})
       union all select * from reactions own where own.status_id = ${status} and own.account_id = ${viewer})`;
}

/**
 * How many reactions each one that is read stands for: the counts of a status with more are estimates. `reactions` is the
 * status's counter, which may be null.
 */
export function reactionScale(reactions: string): string {
  return `greatest(1, ${reactions} / ${REACTION_SAMPLE}::float8)`;
}
