import { Get } from '@nestjs/common';
import { AccountShape, AccountView } from '../accounts/index.js';
import {
  Answers,
  BooleanLike,
  ClientApi,
  Describe,
  Input,
  type Json,
  OptionalAuth,
  PageLimit,
  PageOffset,
  RateLimit,
  Summary,
  ValidationStatus,
  RequiredText,
  ViewerId,
  WithRelationships,
} from '../common/index.js';
import { FollowedOnly, MAX_QUERY_LENGTH } from './search-fields.js';
import { AccountSearchService } from './account-search.service.js';

const MOST = 40;

export class AccountSearchQuery {
  @Describe('Part of a name, a handle, or an address; a blank one finds nothing.')
  @RequiredText({ max: MAX_QUERY_LENGTH, blank: true })
  q: string;
  @PageLimit()
  limit = MOST;
  @PageOffset()
  offset = 0;
  @FollowedOnly()
  following = false;
  @Describe('Whether to fetch an account of another server that is not known yet; for signed-in callers.')
  @BooleanLike()
  resolve = false;
  @WithRelationships()
  with_relationships = false;
}

/** `/api/v1/accounts/search`, which needs no authentication (spec §4.3). */
@ClientApi('v1', 'accounts/search')
export class AccountSearchController {
  constructor(
    private readonly service: AccountSearchService,
    private readonly view: AccountView,
  ) {}

  @Summary('Searches accounts by name or handle.')
  @Get()
  @OptionalAuth('read:search')
  @RateLimit('search')
  @ValidationStatus()
  @Answers([AccountShape])
  async search(@Input(AccountSearchQuery) query: AccountSearchQuery, @ViewerId() viewerId?: string): Promise<Json[]> {
    const found = await this.service.find(query, viewerId);
    return this.view.list(found, { viewerId, withRelationships: query.with_relationships });
  }
}
