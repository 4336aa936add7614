import { Injectable } from '@nestjs/common';
import { AccountView } from '../accounts/index.js';
import { Json } from '../common/index.js';
import { StatusView } from '../statuses/index.js';
import { TagView } from '../timelines/index.js';
import type { Found } from './found.js';

/** The viewer of the results and the options of the response. */
export interface SearchContext {
  readonly viewerId: string | undefined;
  readonly withRelationships: boolean;
}

/** Renders the results (reference Search). Filters do not hide search results. */
@Injectable()
export class SearchView {
  constructor(
    private readonly accounts: AccountView,
    private readonly statuses: StatusView,
    private readonly tags: TagView,
  ) {}

  async results(found: Found, context: SearchContext): Promise<Json> {
    const [common, hashtags] = await Promise.all([
      this.common(found, context),
      this.tags.many(found.tags, context.viewerId),
    ]);
    return Json.object({ ...common, hashtags: Json.array(hashtags) });
  }

  /** Renders hashtags as plain names. */
  async olderResults(found: Found, context: SearchContext): Promise<Json> {
    return Json.object({ ...(await this.common(found, context)), hashtags: found.tags.map(({ name }) => name) });
  }

  private async common({ accounts, statuses }: Found, { viewerId, withRelationships }: SearchContext) {
    const [people, posts] = await Promise.all([
      this.accounts.list(accounts, { viewerId, withRelationships }),
      this.statuses.many(statuses, { viewerId }),
    ]);
    return { accounts: Json.array(people), statuses: Json.array(posts), collections: [] };
  }
}
