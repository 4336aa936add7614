import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ProxyCache } from '../../media/index.js';
import type { RetentionKind, Slice, SliceResult } from '../model/retention-kind.js';

const DAY_SECONDS = 86_400;

/**
 * The files of remote posts that lie here, and their small pictures: the cache of the media proxy. The posts stay, and the
 * files are fetched again when a viewer loads them. The nightly sweep of that cache removes old files by itself.
 */
@Injectable()
export class FileRetentionService implements RetentionKind {
  readonly name = 'files';
  readonly tables = [];

  constructor(
    private readonly settings: Settings,
    private readonly cache: ProxyCache,
  ) {}

  days(): number {
    return this.settings.get('media_proxy.cache_max_age') / DAY_SECONDS;
  }

  async count({ days }: Slice): Promise<SliceResult> {
    const { files, bytes } = await this.cache.clear(days, { dryRun: true });
    return { rows: files, bytes, next: undefined };
  }

  async remove({ days }: Slice): Promise<SliceResult> {
    const { files, bytes } = await this.cache.clear(days);
    return { rows: files, bytes, next: undefined };
  }
}
