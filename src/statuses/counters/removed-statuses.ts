import { Injectable } from '@nestjs/common';
import { AccountCounters } from '../../accounts/index.js';
import { AttachmentsService } from '../../media/index.js';
import { Jobs, type RowOf } from '../../platform/index.js';
import { endOfPoll, endOfStatus } from '../model/expiry.js';
import type { Status } from '../model/status.entities.js';
import { StatusFlag } from '../model/status.flags.js';
import { ADDRESSED_ONLY } from '../model/visibility.js';
import { StatusTotals } from './status-totals.js';
import { StatusCounters } from './status.counters.js';

/** The columns of a status that its removal needs. */
export const OF_REMOVED = [
  ...(['id', 'authorId', 'visibility', 'inReplyToId', 'reblogOfId', 'quoteOfId'] as const),
  ...(['flags', 'editedAt', 'expiresAt'] as const),
];

/** A locked status that is about to be removed. */
export interface RemovedStatus extends RowOf<Status, (typeof OF_REMOVED)[number]> {
  readonly parentVisibility: number | null;
  readonly quotedVisibility: number | null;
}

/** A status or a boost whose row was deleted. */
export interface RemovedEntry {
  readonly authorId: string;
  readonly visibility: number;
}

/** What belongs to statuses besides their rows: files, waiting jobs and counts. All methods throw outside a unit of work. */
@Injectable()
export class RemovedStatuses {
  constructor(
    private readonly jobs: Jobs,
    private readonly counters: StatusCounters,
    private readonly accountCounters: AccountCounters,
    private readonly totals: StatusTotals,
    private readonly attachments: AttachmentsService,
  ) {}

  /** Removes files, except released ones, and waiting jobs: before the rows are deleted. */
  async removeBelongings(statuses: readonly RemovedStatus[]): Promise<void> {
    const withFiles = statuses.filter((status) => hasMedia(status) || status.editedAt !== null);
    if (withFiles.length > 0) await this.attachments.removeOf(withFiles.map(({ id }) => id));
    for (const { id, flags, expiresAt } of statuses) {
      if ((flags & StatusFlag.poll) !== 0) this.jobs.cancel(endOfPoll(id));
      if (expiresAt !== null) this.jobs.cancel(endOfStatus(id));
    }
  }

  /** Counts statuses no longer, and neither the entries that count for their authors: their boosts and themselves. */
  uncount(statuses: readonly RemovedStatus[], entries: readonly RemovedEntry[]): void {
    for (const { authorId, visibility } of entries)
      if (!ADDRESSED_ONLY.includes(visibility)) this.accountCounters.add(authorId, 'statuses', -1);
    for (const status of statuses) {
      this.counters.addReferences(status, -1);
      if (status.reblogOfId === null) this.totals.add(status.authorId, status.visibility, -1);
    }
  }
}

/** Whether a status has attachments. */
export function hasMedia({ flags }: Pick<Status, 'flags'>): boolean {
  return (flags & StatusFlag.media) !== 0;
}
