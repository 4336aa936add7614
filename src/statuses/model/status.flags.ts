/**
 * What a status has, as bits of `statuses.flags`. `passedOn` and `uncounted` are for boosts: each says why one does not count.
 * `staffSensitive` says that the staff marked it as sensitive, which edits by its author do not change; `wasPublic` that it was
 * public before the staff changed its visibility, so that relays have it; `staffChanged` that the staff changed either.
 */
export const StatusFlag = {
  media: 1,
  poll: 2,
  card: 4,
  mentions: 8,
  tags: 16,
  passedOn: 32,
  uncounted: 64,
  staffSensitive: 128,
  wasPublic: 256,
  staffChanged: 512,
} as const;

/** Whether a post stays sensitive, whatever its author says. */
export function isStaffSensitive({ flags }: { readonly flags: number }): boolean {
  return (flags & StatusFlag.staffSensitive) !== 0;
}

/**
 * The boosts that do not count: those by groups, and by programs of other servers that nobody here follows, which pass posts on
 * (`passedOn`); those by deactivated accounts (`uncounted`).
 */
const NOT_COUNTED = StatusFlag.passedOn | StatusFlag.uncounted;

/** Whether a boost counts. */
export function countsAsReblog({ flags }: { readonly flags: number }): boolean {
  return (flags & NOT_COUNTED) === 0;
}

/** {@link countsAsReblog} as an SQL condition. */
export function isCountedReblog(reblog: string): string {
  return `${reblog}.flags & ${NOT_COUNTED} = 0`;
}

/** Whether a post was public before the staff changed its visibility, as an SQL condition. */
export function wasPublic(status: string): string {
  return `${status}.flags & ${StatusFlag.wasPublic} <> 0`;
}

/** Whether the staff decided about a post, as an SQL condition: a fresh copy from its server would not say so. */
export function isModerated(status: string): string {
  return `${status}.flags & ${StatusFlag.staffSensitive | StatusFlag.wasPublic | StatusFlag.staffChanged} <> 0`;
}
