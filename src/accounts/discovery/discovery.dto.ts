import { BooleanLike, Describe, OneOf, PageLimit, PageOffset } from '../../common/index.js';
import type { DirectoryOrder } from './directory.repository.js';

const MOST = 40;

export class DirectoryQuery {
  @Describe('The latest post first (`active`), or the latest account first (`new`).')
  @OneOf(['active', 'new'] satisfies DirectoryOrder[])
  order: DirectoryOrder = 'active';
  @Describe('Whether to list only entries of this server.')
  @BooleanLike()
  local = false;
  @PageLimit()
  limit = MOST;
  @PageOffset()
  offset = 0;
}

export class SuggestionsQuery {
  @PageLimit()
  limit = MOST;
}
