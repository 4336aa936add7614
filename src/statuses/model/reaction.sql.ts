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

/** The picture of some reactions `r` with one emoji, of the last one: the server of the emoji may have replaced an earlier picture. */
export const LAST_PICTURE = `(array_agg(r.url order by r.id desc))[1]`;
