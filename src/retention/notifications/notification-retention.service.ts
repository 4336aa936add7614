import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import type { RetentionKind, Slice, SliceResult } from '../model/retention-kind.js';
import { NotificationRetentionRepository } from './notification-retention.repository.js';

/** Notifications that were read and are old. */
@Injectable()
export class NotificationRetentionService implements RetentionKind {
  readonly name = 'notifications';
  readonly tables = ['notifications'];

  constructor(
    private readonly settings: Settings,
    private readonly repository: NotificationRetentionRepository,
  ) {}

  days(): number {
    return this.settings.get('retention.read_notification_days');
  }

  async count({ after, days }: Slice): Promise<SliceResult> {
    const { count, last } = await this.repository.count(after, days);
    return { rows: count, next: last };
  }

  async remove({ after, days }: Slice): Promise<SliceResult> {
    const { count, last } = await this.repository.removeNext(after, days);
    return { rows: count, next: last };
  }
}
