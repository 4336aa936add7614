import { Injectable } from '@nestjs/common';
import type { PageQuery } from '../../common/index.js';
import { flakeKeyset, newestFirst } from '../../platform/index.js';
import type { PageRow } from '../model/page.sql.js';
import { QuoteRepository } from '../rendering/quote.repository.js';
import { StatusesService } from '../core/statuses.service.js';

/** Finds the posts that quote a post. */
@Injectable()
export class QuotesService {
  constructor(
    private readonly statuses: StatusesService,
    private readonly repository: QuoteRepository,
  ) {}

  /**
   * The quotes of a post that are visible to the viewer and not hidden, the latest first.
   * @throws NotFound when the viewer may not see the post itself
   */
  async of(id: string, query: PageQuery, viewerId = ''): Promise<PageRow[]> {
    const status = await this.statuses.visible(id, viewerId);
    const keyset = flakeKeyset(query);
    return newestFirst(await this.repository.quotes(status.id, viewerId, keyset, query.offset), keyset);
  }
}
