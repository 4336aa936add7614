import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { cutoffId, type RetentionKind, type Slice, type SliceResult } from '../model/retention-kind.js';
import { PreviewRetentionRepository } from './preview-retention.repository.js';

/** The link previews of old remote posts. A page whose preview no post shows is removed a day later (`statuses`). */
@Injectable()
export class PreviewRetentionService implements RetentionKind {
  readonly name = 'previews';
  readonly tables = ['status_cards', 'cards'];

  constructor(
    private readonly settings: Settings,
    private readonly repository: PreviewRetentionRepository,
  ) {}

  days(): number {
    return this.settings.get('retention.link_preview_days');
  }

  async count({ after, days }: Slice): Promise<SliceResult> {
    const { count, last } = await this.repository.count(after, cutoffId(days));
    return { rows: count, next: last };
  }

  async remove({ after, days }: Slice): Promise<SliceResult> {
    const { count, last } = await this.repository.removeNext(after, cutoffId(days));
    return { rows: count, next: last };
  }
}
