/** The subject of a change that may concern everything, such as the end of an account. */
export const EVERYTHING = '*';

/** Subjects whose last change is remembered, at least. Of older ones it is only known that they may have changed. */
const REMEMBERED = 10_000;

/** When which subject last changed. */
type Changes = Map<string, number>;

/**
 * Remembers when which subject last changed, on a clock that counts changes. A subject is a short text without spaces,
 * such as the id of a post. A value that was read at `now` is current while {@link isCurrent} says so of its subjects.
 * Changes are forgotten a generation at a time: a Map from which the oldest are removed one by one becomes slow.
 */
export class ChangeLog {
  /** Sends subjects to the other servers of the database; resolves to false when that failed. Unset for a single server. */
  publish: ((subjects: readonly string[]) => Promise<boolean>) | undefined;

  /** Whether the changes that the other servers have made are noted; inside a request those from before its beginning. */
  isComplete: () => boolean = () => true;

  private latest: Changes = new Map();
  private earlier: Changes = new Map();
  /** No change in `earlier` is later. */
  private turn = 0;
  /** Everything may have changed until then. */
  private floor = 0;
  private clock = 0;

  get now(): number {
    return this.clock;
  }

  /** Notes a change of each subject. */
  note(subjects: Iterable<string>): void {
    this.clock += 1;
    for (const subject of subjects) {
      if (subject === EVERYTHING) this.noteAll();
      else this.latest.set(subject, this.clock);
    }
    if (this.latest.size >= REMEMBERED) this.forget();
  }

  /** Notes that everything may have changed. */
  noteAll(): void {
    this.clock += 1;
    this.floor = this.clock;
    this.latest.clear();
    this.earlier.clear();
  }

  /** Whether no subject has changed since a time on the clock. */
  isCurrent(subjects: readonly string[], since: number): boolean {
    if (since < this.floor) return false;
    return subjects.every((subject) => (this.latest.get(subject) ?? this.earlier.get(subject) ?? 0) <= since);
  }

  private forget(): void {
    this.floor = Math.max(this.floor, this.turn);
    this.turn = this.clock;
    this.earlier = this.latest;
    this.latest = new Map();
  }
}
