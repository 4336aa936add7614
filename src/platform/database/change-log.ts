/** The subject of a change that may concern everything, such as the end of an account. */
export const EVERYTHING = '*';
/** The subject of changes that are not known: as {@link ChangeLog.noteUnknown}. */
export const UNKNOWN = '**';

/** Subjects whose last change is remembered, at least. Of older ones it is only known that they may have changed. */
const REMEMBERED = 10_000;
/** Latest notes of which all subjects are remembered. */
const NOTES = 256;

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
  /** What the latest notes named, by their time modulo their number. */
  private readonly notes: (readonly string[])[] = [];
  private readonly listeners = new Map<string, (() => void)[]>();

  get now(): number {
    return this.clock;
  }

  /**
   * Calls a listener when a subject is noted, and when changes are not known. A change of everything that is known does not
   * count: its statement names the subject too if it concerns it.
   */
  onChange(subject: string, listener: () => void): void {
    this.listeners.set(subject, [...(this.listeners.get(subject) ?? []), listener]);
  }

  /** Notes a change of each subject. */
  note(subjects: readonly string[]): void {
    this.clock += 1;
    this.notes[this.clock % NOTES] = subjects;
    for (const subject of subjects) {
      if (subject === EVERYTHING) this.noteAll();
      else if (subject === UNKNOWN) this.noteUnknown();
      else this.latest.set(subject, this.clock);
      this.listeners.get(subject)?.forEach(call);
    }
    if (this.latest.size >= REMEMBERED) this.forget();
  }

  /** Notes that everything may have changed that values name as their subjects. */
  noteAll(): void {
    this.clock += 1;
    this.notes[this.clock % NOTES] = [];
    this.floor = this.clock;
    this.latest.clear();
    this.earlier.clear();
  }

  /** Notes changes that are not known, such as those of other programs. */
  noteUnknown(): void {
    this.noteAll();
    [...this.listeners.values()].flat().forEach(call);
  }

  /** Whether no subject has changed since a time on the clock. */
  isCurrent(subjects: readonly string[], since: number): boolean {
    if (since < this.floor) return false;
    return subjects.every((subject) => (this.latest.get(subject) ?? this.earlier.get(subject) ?? 0) <= since);
  }

  /**
   * Whether no subject changed after `since`, up to `until`. Of a time that lies further back than the latest notes it says
   * so only where nothing changed up to now.
   */
  wasCurrent(subjects: readonly string[], since: number, until: number): boolean {
    if (since >= until) return true;
    if (since < this.floor) return false;
    const changed = subjects.filter((subject) => !this.isCurrent([subject], since));
    if (changed.length === 0) return true;
    if (this.clock - since > NOTES) return false;
    for (let time = since + 1; time <= until; time += 1)
      if (this.notes[time % NOTES]?.some((subject) => changed.includes(subject))) return false;
    return true;
  }

  private forget(): void {
    this.floor = Math.max(this.floor, this.turn);
    this.turn = this.clock;
    this.earlier = this.latest;
    this.latest = new Map();
  }
}

function call(listener: () => void): void {
  listener();
}
