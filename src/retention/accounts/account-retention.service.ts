import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import type { RetentionKind, Slice, SliceResult } from '../model/retention-kind.js';
import { AccountRetentionRepository } from './account-retention.repository.js';

/** Old remote accounts without a relation to anybody or anything here. */
@Injectable()
export class AccountRetentionService implements RetentionKind {
  readonly name = 'accounts';
  readonly tables = ['accounts', 'account_stats'];

  constructor(
    private readonly settings: Settings,
    private readonly repository: AccountRetentionRepository,
  ) {}

  days(): number {
    return this.settings.get('retention.remote_account_days');
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
