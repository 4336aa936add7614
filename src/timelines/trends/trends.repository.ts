import { Injectable } from '@nestjs/common';
import { Database, type Keyset } from '../../platform/index.js';
import type { PageRow } from '../../statuses/index.js';
import { filterValues, type PageFilter } from '../pages/status-filters.sql.js';
import type { TagRow } from '../tags/tag.repository.js';
import { trendingStatuses, trendingTags } from './trends.sql.js';

/** Reads the rankings of hashtags and posts. `viewerId` is `''` for anonymous callers. */
@Injectable()
export class TrendsRepository {
  constructor(private readonly db: Database) {}

  /** Lists hashtags, ordered by the number of people that used them. */
  tags(viewerId: string, limit: number, offset: number): Promise<TagRow[]> {
    return this.db.rows(trendingTags, [viewerId, limit, offset]);
  }

  /** Lists posts within the bounds, ordered by their number of new favourites and boosts. */
  statuses(viewerId: string, { below, above, limit }: Keyset, offset: number, filter: PageFilter): Promise<PageRow[]> {
    const values = [viewerId, below, above, ...filterValues(filter), limit, filter.contained, offset];
    return this.db.rows(trendingStatuses, values);
  }
}
