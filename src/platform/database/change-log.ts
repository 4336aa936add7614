/** The subject of a change that may concern everything, such as the end of an account. */
export const EVERYTHING = '*';

/** Subjects whose last change is remembered. Of older ones it is only known that they may have changed. */
const MOST_SUBJECTS = 20_000;

/**
 * Remembers when which subject last changed, on a clock that counts changes. A subject is a short text without spaces,
 * such as the id of a post. A value that was read at `now` is current while {@link isCurrent} says so of its subjects.
 */
export class ChangeLog {
  private readonly last = new Map<string, number>();
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
      else this.noteOne(subject);
    }
  }

  /** Notes that everything may have changed. */
  noteAll(): void {
    this.clock += 1;
    this.floor = this.clock;
    this.last.clear();
  }

  /** Whether no subject has changed since a time on the clock. */
  isCurrent(subjects: readonly string[], since: number): boolean {
    if (since < this.floor) return false;
    for (const subject of subjects) if ((this.last.get(subject) ?? 0) > since) return false;
    return true;
  }

  private noteOne(subject: string): void {
    this.last.delete(subject); // so that the first of the map is the one that changed longest ago
    this.last.set(subject, this.clock);
    if (this.last.size <= MOST_SUBJECTS) return;
    const [oldest] = this.last;
    if (!oldest) return;
    this.last.delete(oldest[0]);
    this.floor = Math.max(this.floor, oldest[1]);
  }
}
