/** The parts a status may have, and of boosts why they do not count, as bits of `statuses.flags`. */
export const StatusFlag = { media: 1, poll: 2, card: 4, mentions: 8, tags: 16, passedOn: 32, uncounted: 64 } as const;

/**
 * A boost does not count by which a group or a stranger's program passes a post on, which is no praise, nor one by an account
 * that is deactivated.
 */
const NOT_COUNTED = StatusFlag.passedOn | StatusFlag.uncounted;

/** Whether a boost counts. */
export function countsAsBoost({ flags }: { readonly flags: number }): boolean {
  return (flags & NOT_COUNTED) === 0;
}

/** {@link countsAsBoost} as an SQL condition. */
export function isCountedBoost(boost: string): string {
  return `${boost}.flags & ${NOT_COUNTED} = 0`;
}
