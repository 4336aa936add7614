/** The parts a status may have, as bits of `statuses.flags`. */
export const StatusFlag = { media: 1, poll: 2, card: 4, mentions: 8, tags: 16 } as const;
