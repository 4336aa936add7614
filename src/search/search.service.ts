import { Injectable } from '@nestjs/common';
import { normalizeTag } from '../common/index.js';
import { type AccountCriteria, AccountSearchService } from './account-search.service.js';
import type { Found } from './found.js';
import { isAddress, type StatusCriteria, StatusSearchService } from './status-search.service.js';
import { type FoundTag, TagSearchRepository } from './tag-search.repository.js';

/** Kinds of results. */
export const SEARCH_TYPES = ['accounts', 'hashtags', 'statuses'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

export interface SearchCriteria extends AccountCriteria, StatusCriteria {
  /** The one requested kind; undefined for all kinds. */
  readonly type?: SearchType | undefined;
}

/** Finds accounts, posts and hashtags at once (spec §4.3). */
@Injectable()
export class SearchService {
  constructor(
    private readonly accounts: AccountSearchService,
    private readonly posts: StatusSearchService,
    private readonly tags: TagSearchRepository,
  ) {}

  /** Returns the results that the viewer may see. Not inside a unit of work: the lookup of a handle may be remote. */
  async find(query: SearchCriteria, viewerId: string | undefined): Promise<Found> {
    const wants = (type: SearchType) => query.type === undefined || query.type === type;
    if (isAddress(query.q.trim())) return this.findAt(query, viewerId, wants);
    const [accounts, statuses, tags] = await Promise.all([
      wants('accounts') ? this.accounts.find(query, viewerId) : [],
      wants('statuses') ? this.posts.find(query, viewerId) : [],
      wants('hashtags') ? this.findTags(query) : [],
    ]);
    return { accounts, statuses, tags };
  }

  /** Looks for the post first: if it is found, no remote server is asked for an account at the same address. */
  private async findAt(
    query: SearchCriteria,
    viewerId: string | undefined,
    wants: (type: SearchType) => boolean,
  ): Promise<Found> {
    const statuses = wants('statuses') ? await this.posts.find(query, viewerId) : [];
    const isPost = statuses.length > 0;
    return {
      accounts: wants('accounts') && !isPost ? await this.accounts.find(query, viewerId) : [],
      statuses,
      tags: [],
    };
  }

  private async findTags({ q, limit, offset }: SearchCriteria): Promise<FoundTag[]> {
    const name = normalizeTag(q.replace(/[#\s]/g, ''));
    return name === '' ? [] : this.tags.search(name, limit, offset);
  }
}
