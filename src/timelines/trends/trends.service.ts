import { Injectable } from '@nestjs/common';
import { Unauthorized } from '../../common/index.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import { firstFlakeAt, flakeKeyset } from '../../platform/index.js';
import type { PageRow } from '../../statuses/index.js';
import { UNFILTERED } from '../pages/status-filters.sql.js';
import { HISTORY_DAYS, type TagRow } from '../tags/tag.repository.js';
import { TrendsRepository } from './trends.repository.js';

const DAY_MS = 86_400_000;

/** A part of a ranking. */
export interface TrendsPage {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Ranks the hashtags and posts of the week. Counts only public posts of discoverable authors that the viewer may see.
 */
@Injectable()
export class TrendsService {
  constructor(
    private readonly settings: Settings,
    private readonly anonymous: AnonymousAccess,
    private readonly trends: TrendsRepository,
  ) {}

  /**
   * Lists the hashtags of the week, ordered by the number of people that used them.
   * @throws Unauthorized where the public timeline is for members only
   */
  async tags(viewerId: string | undefined, { limit, offset }: TrendsPage): Promise<TagRow[]> {
    this.requireOpen(viewerId);
    return this.trends.tags(viewerId ?? '', limit, offset);
  }

  /**
   * Lists the posts of the week, ordered by their number of new favourites and boosts.
   * @throws Unauthorized where the public timeline is for members only
   */
  async statuses(viewerId: string | undefined, { limit, offset }: TrendsPage): Promise<PageRow[]> {
    this.requireOpen(viewerId);
    const above = firstFlakeAt(Date.now() - HISTORY_DAYS * DAY_MS);
    return this.trends.statuses(viewerId ?? '', { ...flakeKeyset({ limit }), above }, offset, {
      ...UNFILTERED,
      contained: !this.settings.get('instance.skip_thread_containment'),
    });
  }

  private requireOpen(viewerId: string | undefined): void {
    if (viewerId === undefined && this.anonymous.refusesTimeline(false))
      throw new Unauthorized('authorization required for timeline view');
  }
}
