/** The parts a status may have, as bits of `statuses.flags`. */
export const StatusFlag = { media: 1, poll: 2, card: 4, mentions: 8, tags: 16, passedOn: 32 } as const;

/** Whether a boost counts, as an SQL condition: one by which a group or a stranger's program passes a post on is no praise. */
export function isCountedBoost(boost: string): string {
  return `${boost}.flags & ${StatusFlag.passedOn} = 0`;
}
