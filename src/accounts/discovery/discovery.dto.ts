import { BooleanLike, OneOf, PageLimit, PageOffset } from '../../common/index.js';
import type { DirectoryOrder } from './directory.repository.js';

const MOST = 40;

export class DirectoryQuery {
  @OneOf(['active', 'new'] satisfies DirectoryOrder[]) order: DirectoryOrder = 'active';
  /** Only local accounts. */
  @BooleanLike() local = false;
  @PageLimit() limit = MOST;
  @PageOffset() offset = 0;
}

export class SuggestionsQuery {
  @PageLimit() limit = MOST;
}
