import {
  BooleanLike,
  IdList,
  isBlank,
  OneOf,
  OptionalId,
  OptionalText,
  PageLimitOrAll,
  PageOffset,
  RequiredText,
  Unprocessable,
} from '../../common/index.js';
import { REPLIES_POLICIES, type RepliesPolicy } from './list.entities.js';
import type { ListChanges, ListUpdate } from './list.repository.js';

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

/** Omitted fields stay unchanged. */
export class ListChangesBody {
  @OptionalText({ max: TITLE_LENGTH }) title?: string;
  @BooleanLike() exclusive?: boolean;
  @OneOf(REPLIES_POLICIES) replies_policy?: RepliesPolicy;

  /** @throws Unprocessable for a blank title */
  changes(): ListUpdate {
    if (this.title !== undefined && isBlank(this.title)) throw new Unprocessable('title must not be empty');
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
