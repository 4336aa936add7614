import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ForgottenStatusesService } from '../../statuses/index.js';
import { cutoffId, type RetentionKind, type Slice, type SliceResult } from '../model/retention-kind.js';
import { StatusRetentionRepository } from './status-retention.repository.js';

/** Old remote posts that nobody here touched, follows or is part of. */
@Injectable()
export class StatusRetentionService implements RetentionKind {
  readonly name = 'posts';
  readonly tables = ['statuses', 'status_stats', 'mentions', 'status_hashtags', 'attachments'];

  constructor(
    private readonly settings: Settings,
    private readonly repository: StatusRetentionRepository,
    private readonly statuses: ForgottenStatusesService,
  ) {}

  days(): number {
    return this.settings.get('retention.remote_post_days');
  }

  async count({ after, days }: Slice): Promise<SliceResult> {
    const { count, last } = await this.repository.count(after, cutoffId(days));
    return { rows: count, next: last };
  }

  async remove({ after, days }: Slice): Promise<SliceResult> {
    const { ids, last } = await this.repository.lockNext(after, cutoffId(days));
    return { rows: ids.length === 0 ? 0 : await this.statuses.forget(ids), next: last };
  }
}
