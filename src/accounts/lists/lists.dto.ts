import {
  BooleanLike,
  IdList,
  OneOf,
  OptionalId,
  PageLimitOrAll,
  PageOffset,
  RequiredText,
} from '../../common/index.js';
import { REPLIES_POLICIES, type RepliesPolicy } from './list.entities.js';
import type { ListChanges } from './list.repository.js';

const TITLE_LENGTH = 255;
const DEFAULT_LIMIT = 20;

export class ListBody {
  @RequiredText({ max: TITLE_LENGTH }) title: string;
  @BooleanLike() exclusive?: boolean;
  @OneOf(REPLIES_POLICIES) replies_policy?: RepliesPolicy;

  changes(): ListChanges {
    return { title: this.title, exclusive: this.exclusive, repliesPolicy: this.replies_policy };
  }
}

export class ListMembersBody {
  @IdList() account_ids?: string[];
}

/** A page whose limit may be 0, which means all: apps send it. */
export class ListMembersQuery {
  @OptionalId() max_id?: string;
  @OptionalId() min_id?: string;
  @OptionalId() since_id?: string;
  @PageLimitOrAll() limit = DEFAULT_LIMIT;
  @PageOffset() offset = 0;
}
