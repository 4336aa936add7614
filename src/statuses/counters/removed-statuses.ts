import { Injectable } from '@nestjs/common';
import { AccountCounters } from '../../accounts/index.js';
import { AttachmentsService } from '../../media/index.js';
import { Jobs } from '../../platform/index.js';
import { endOfPoll, endOfStatus } from '../model/expiry.js';
import type { RemovedEntry, RemovedStatus } from '../model/removed-status.js';
import type { Status } from '../model/status.entities.js';
import { StatusFlag } from '../model/status.flags.js';
import { ADDRESSED_ONLY } from '../model/visibility.js';
import { StatusTotals } from './status-totals.js';
import { StatusCounters } from './status.counters.js';

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

  /** Takes removed statuses out of the totals, and their entries and boosts out of the counters of the authors. */
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
