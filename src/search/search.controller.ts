import { Get } from '@nestjs/common';
import {
  Answers,
  BooleanLike,
  ClientApi,
  Describe,
  Input,
  type Json,
  OneOf,
  OptionalAuth,
  OptionalId,
  PageQuery,
  RateLimit,
  Summary,
  ValidationStatus,
  RequiredText,
  ViewerId,
  WithRelationships,
} from '../common/index.js';
import { ResultsV1Shape, ResultsShape } from './search.shape.js';
import { FollowedOnly, MAX_QUERY_LENGTH } from './search-fields.js';
import { SEARCH_TYPES, SearchService, type SearchType } from './search.service.js';
import { type SearchContext, SearchView } from './search.view.js';

/** The id bounds (`max_id`, `min_id`, `since_id`) apply to posts. The offset applies to each kind. */
export class SearchQuery extends PageQuery {
  @Describe('Words, a handle, a hashtag, or an address.')
  @RequiredText({ max: MAX_QUERY_LENGTH })
  q: string;
  @Describe('The only kind of results.')
  @OneOf(SEARCH_TYPES)
  type?: SearchType;
  @Describe('The id of the author of the posts.')
  @OptionalId()
  account_id?: string;
  @FollowedOnly()
  following = false;
  @Describe('Whether to fetch an account or a post of another server that is not known yet.')
  @BooleanLike()
  resolve = false;
  @WithRelationships()
  with_relationships = false;

  context(viewerId: string | undefined): SearchContext {
    return { viewerId, withRelationships: this.with_relationships };
  }
}

/** `/api/v2/search` (spec §4.3). */
@ClientApi('v2', 'search')
export class SearchController {
  constructor(
    private readonly service: SearchService,
    private readonly view: SearchView,
  ) {}

  @Summary('Searches accounts, posts and hashtags.')
  @Get()
  @OptionalAuth('read:search')
  @RateLimit('search')
  @ValidationStatus()
  @Answers(ResultsShape)
  async search(@Input(SearchQuery) query: SearchQuery, @ViewerId() viewerId?: string): Promise<Json> {
    return this.view.results(await this.service.find(query, viewerId), query.context(viewerId));
  }
}

/** `/api/v1/search`: hashtags are plain names. */
@ClientApi('v1', 'search')
export class SearchV1Controller {
  constructor(
    private readonly service: SearchService,
    private readonly view: SearchView,
  ) {}

  @Summary('Searches accounts, posts and hashtags; hashtags are plain names.', { deprecated: true })
  @Get()
  @OptionalAuth('read:search')
  @RateLimit('search')
  @ValidationStatus()
  @Answers(ResultsV1Shape)
  async search(@Input(SearchQuery) query: SearchQuery, @ViewerId() viewerId?: string): Promise<Json> {
    return this.view.olderResults(await this.service.find(query, viewerId), query.context(viewerId));
  }
}
