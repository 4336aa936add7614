import { Injectable } from '@nestjs/common';
import { DAILY, FIRST_ID, Handles, job, Jobs, Recurs, UnitOfWork } from '../../platform/index.js';
import { AccountRetentionService } from '../accounts/account-retention.service.js';
import { FileRetentionService } from '../files/file-retention.service.js';
import type { RetentionKind, RetentionKindName, SliceResult } from '../model/retention-kind.js';
import { NotificationRetentionService } from '../notifications/notification-retention.service.js';
import { StatusRetentionService } from '../statuses/status-retention.service.js';
import { PreviewRetentionService } from '../previews/preview-retention.service.js';
import { StorageRepository } from '../storage/storage.repository.js';

/** Removes what is too old in one slice of a table, and enqueues the next slice. */
export const RemoveSlice = job<{ kind: RetentionKindName; after: string }>('retention.remove-slice', 'maintenance');

/** What a removal of one kind would free, or what it removed. Sizes are in bytes. */
export interface RetentionTotal {
  readonly kind: RetentionKindName;
  /** The age in days from which rows go; 0: the settings keep all. */
  readonly days: number;
  readonly rows: number;
  /** Of rows: the share of their tables, indexes included. */
  readonly bytes: number;
}

/** What is called after each slice: the numbers so far. */
type Progress = (total: { readonly rows: number; readonly bytes: number }) => void;

/** Removes what the settings say is too old (threat D7): in slices, so that no lock is held for long. */
@Injectable()
export class RetentionService {
  private readonly kinds: readonly RetentionKind[];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly storage: StorageRepository,
    files: FileRetentionService,
    posts: StatusRetentionService,
    accounts: AccountRetentionService,
    notifications: NotificationRetentionService,
    previews: PreviewRetentionService,
  ) {
    this.kinds = [files, posts, accounts, notifications, previews];
  }

  /** Begins the removals of the night: one chain of jobs for each kind of rows. */
  @Recurs({ job: 'retention.begin', everyMinutes: DAILY })
  async begin(): Promise<void> {
    await this.uow.run(() => {
      for (const kind of this.kinds) if (kind.tables.length > 0 && kind.days() > 0) this.enqueue(kind.name, FIRST_ID);
    });
  }

  /** Removes one slice and enqueues the next in the same unit of work. Ends when the setting became 0 meanwhile. */
  @Handles(RemoveSlice)
  async removeSlice({ kind: name, after }: { kind: RetentionKindName; after: string }): Promise<void> {
    const kind = this.kind(name);
    const days = kind.days();
    if (days === 0) return;
    await this.uow.run(async () => {
      const { next } = await kind.remove({ after, days });
      if (next !== undefined) this.enqueue(name, next);
    });
  }

  /** The age from which rows of a kind go: in days, 0 for never. */
  daysOf(kind: RetentionKindName): number {
    return this.kind(kind).days();
  }

  /** Counts what a removal would remove, without removing anything. */
  async preview(name: RetentionKindName, days: number): Promise<RetentionTotal> {
    const kind = this.kind(name);
    const total = days === 0 ? NOTHING : await this.walk((after) => kind.count({ after, days }));
    return { kind: name, days, rows: total.rows, bytes: await this.bytesOf(kind, total) };
  }

  /** Removes now, slice by slice, each in its own unit of work. An aborted signal ends it after a slice. */
  async removeNow(
    name: RetentionKindName,
    days: number,
    { progress, signal }: { readonly progress?: Progress; readonly signal?: AbortSignal } = {},
  ): Promise<RetentionTotal> {
    const kind = this.kind(name);
    if (days === 0) return { kind: name, days, ...NOTHING };
    const size = await this.storage.bytesPerRow(kind.tables);
    const total = await this.walk(
      (after) =>
        kind.tables.length === 0 ? kind.remove({ after, days }) : this.uow.run(() => kind.remove({ after, days })),
      ({ rows, bytes }) => progress?.({ rows, bytes: bytes + Math.round(rows * size) }),
      signal,
    );
    return { kind: name, days, rows: total.rows, bytes: total.bytes + Math.round(total.rows * size) };
  }

  private async walk(
    step: (after: string) => Promise<SliceResult>,
    progress?: Progress,
    signal?: AbortSignal,
  ): Promise<{ rows: number; bytes: number }> {
    let total = NOTHING;
    for (let after: string | undefined = FIRST_ID; after !== undefined && signal?.aborted !== true;) {
      const { rows, bytes = 0, next }: SliceResult = await step(after);
      total = { rows: total.rows + rows, bytes: total.bytes + bytes };
      progress?.(total);
      after = next;
    }
    return total;
  }

  private async bytesOf({ tables }: RetentionKind, { rows, bytes }: { rows: number; bytes: number }): Promise<number> {
    return rows === 0 ? bytes : bytes + Math.round(rows * (await this.storage.bytesPerRow(tables)));
  }

  private enqueue(kind: RetentionKindName, after: string): void {
    this.jobs.enqueue(RemoveSlice, { kind, after }, { key: `retention:${kind}:${after}` });
  }

  private kind(name: RetentionKindName): RetentionKind {
    const found = this.kinds.find((kind) => kind.name === name);
    if (!found) throw new Error(`There is no kind "${name}"`);
    return found;
  }
}

const NOTHING = { rows: 0, bytes: 0 };
