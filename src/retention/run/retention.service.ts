import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import {
  DAILY,
  FIRST_ID,
  Handles,
  job,
  Jobs,
  Recurs,
  UnitOfWork,
  type WalkBounds,
  walkSlices,
} from '../../platform/index.js';
import { ForgottenStatusesService } from '../../statuses/index.js';
import { FileRetentionService } from '../files/file-retention.service.js';
import type { RetentionKind, RetentionKindName, SliceResult } from '../model/retention-kind.js';
import { OLD_ACCOUNTS } from '../rows/old-accounts.sql.js';
import { OLD_NOTIFICATIONS } from '../rows/old-notifications.sql.js';
import { OLD_POSTS } from '../rows/old-posts.sql.js';
import { OLD_PREVIEWS, removePreviews } from '../rows/old-previews.sql.js';
import { RetentionRepository } from '../rows/retention.repository.js';
import { RowRetention } from '../rows/row-retention.js';
import { StorageRepository } from '../storage/storage.repository.js';

/** Removes what is too old in some slices of a table, and enqueues the next ones. */
export const RemoveSlice = job<{ kind: RetentionKindName; after: string }>('retention.remove-slice', 'upkeep');

/** What a removal of one kind would free, or what it removed. Sizes are in bytes. */
export interface RetentionTotal {
  readonly kind: RetentionKindName;
  /** The age in days from which rows go; 0: the settings keep all. */
  readonly days: number;
  readonly rows: number;
  /** Of rows: the share of their tables, indexes included. */
  readonly bytes: number;
}

type Total = Pick<RetentionTotal, 'rows' | 'bytes'>;
/** What is called after each slice: the numbers so far. */
type Progress = (total: Total) => void;

/** How an operator follows a walk, and ends it after a slice. */
interface WalkProgress {
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
}

/** Number of slices that one job removes, so that other jobs of the queue get their turn. */
const SLICES = 10;

/** Removes what the settings say is too old (threat D7): in slices, so that no lock is held for long. */
@Injectable()
export class RetentionService {
  private readonly rowKinds: readonly RowRetention[];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly storage: StorageRepository,
    private readonly files: FileRetentionService,
    settings: Settings,
    repository: RetentionRepository,
    statuses: ForgottenStatusesService,
  ) {
    const tools = { settings, uow, repository };
    this.rowKinds = [
      new RowRetention(OLD_POSTS, (ids) => statuses.forget(ids), tools),
      new RowRetention(OLD_ACCOUNTS, (ids) => repository.remove(OLD_ACCOUNTS.remove, ids), tools),
      new RowRetention(OLD_NOTIFICATIONS, (ids) => repository.remove(OLD_NOTIFICATIONS.remove, ids), tools),
      new RowRetention(OLD_PREVIEWS, (ids) => repository.remove(removePreviews, ids), tools),
    ];
  }

  /**
   * Begins the removals of the night: one chain of jobs for each kind of rows, unless one of an earlier night still works. The
   * cache of files has its own sweep.
   */
  @Recurs({ job: 'retention.begin', everyMinutes: DAILY })
  async begin(): Promise<void> {
    await this.uow.run(() => {
      for (const kind of this.rowKinds) if (kind.days() > 0) this.enqueue(kind.name, FIRST_ID);
    });
  }

  /**
   * Removes the next slices and enqueues the job of those that follow, which takes the place of this one. A job that runs
   * again finds what is left. Ends when the setting became 0 meanwhile.
   */
  @Handles(RemoveSlice)
  async removeSlice({ kind: name, after: first }: { kind: RetentionKindName; after: string }): Promise<void> {
    const kind = this.kind(name);
    const step = async (after: string) => {
      const days = kind.days();
      return days === 0 ? undefined : (await kind.remove({ after, days })).next;
    };
    const next = await walkSlices(first, step, { atMost: SLICES });
    if (next === undefined) return;
    await this.uow.run(() => {
      this.jobs.cancel(keyOf(name));
      this.enqueue(name, next);
    });
  }

  /** The age from which rows of a kind go: in days, 0 for never. */
  daysOf(kind: RetentionKindName): number {
    return this.kind(kind).days();
  }

  /** Counts what a removal would remove, without removing anything: an operator waits, so it does not rest. */
  async dryRun(name: RetentionKindName, days: number, options: WalkProgress = {}): Promise<RetentionTotal> {
    const kind = this.kind(name);
    const count = (after: string) => kind.count({ after, days });
    const { rows, bytes } = await this.walk(days, count, { ...options, rests: false });
    const size = rows === 0 ? 0 : await this.storage.bytesPerRow(kind.tables);
    return { kind: name, days, rows, bytes: bytes + Math.round(rows * size) };
  }

  /** Removes now, slice by slice, each in its own unit of work. An aborted signal ends it after a slice. */
  async removeNow(
    name: RetentionKindName,
    days: number,
    { progress, ...options }: WalkProgress = {},
  ): Promise<RetentionTotal> {
    const kind = this.kind(name);
    const size = await this.storage.bytesPerRow(kind.tables);
    const sized = ({ rows, bytes }: Total) => ({ rows, bytes: bytes + Math.round(rows * size) });
    const remove = (after: string) => kind.remove({ after, days });
    const withSizes = { ...options, progress: (total: Total) => progress?.(sized(total)) };
    return { kind: name, days, ...sized(await this.walk(days, remove, withSizes)) };
  }

  private async walk(
    days: number,
    step: (after: string) => Promise<SliceResult>,
    { progress, ...bounds }: WalkProgress & WalkBounds,
  ): Promise<Total> {
    let total: Total = { rows: 0, bytes: 0 };
    const addSlice = async (after: string) => {
      const { rows, bytes = 0, next } = await step(after);
      total = { rows: total.rows + rows, bytes: total.bytes + bytes };
      progress?.(total);
      return next;
    };
    if (days > 0) await walkSlices(FIRST_ID, addSlice, bounds);
    return total;
  }

  private enqueue(kind: RetentionKindName, after: string): void {
    this.jobs.enqueue(RemoveSlice, { kind, after }, { key: keyOf(kind) });
  }

  private kind(name: RetentionKindName): RetentionKind {
    const found: RetentionKind | undefined = [this.files, ...this.rowKinds].find((kind) => kind.name === name);
    if (!found) throw new Error(`There is no kind "${name}"`);
    return found;
  }
}

/** The key of the jobs of a kind: only one of them waits or runs. */
function keyOf(kind: RetentionKindName): string {
  return `retention:${kind}`;
}
