import { Injectable } from '@nestjs/common';
import { Database, type Keyset } from '../../platform/index.js';
import type { PageRow } from '../../statuses/index.js';
import { filterValues, type PageFilter } from '../pages/post-filters.js';
import type { TagRow } from '../tags/tag.repository.js';
import { trendingStatuses, trendingTags } from './trends.sql.js';

/** Reads the rankings of hashtags and posts. `viewerId` is `''` for anonymous callers. */
@Injectable()
export class TrendsRepository {
  constructor(private readonly db: Database) {}

  /** Hashtags, those that most people used first. */
  tags(viewerId: string, limit: number, offset: number): Promise<TagRow[]> {
    return this.db.rows(trendingTags, [viewerId, limit, offset]);
  }

  /** Posts within the bounds, those with the most new favourites and boosts first. */
  statuses(viewerId: string, { below, above, limit }: Keyset, offset: number, filter: PageFilter): Promise<PageRow[]> {
    const values = [viewerId, below, above, ...filterValues(filter), limit, filter.contained, offset];
    return this.db.rows(trendingStatuses, values);
  }
}
