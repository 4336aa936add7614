import {
  BooleanLike,
  Describe,
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
  @Describe('The name of the list.')
  @RequiredText({ max: TITLE_LENGTH })
  title: string;
  @Describe('Whether posts of the members leave the home timeline.')
  @BooleanLike()
  exclusive?: boolean;
  @Describe('Which replies of the members the list shows.')
  @OneOf(REPLIES_POLICIES)
  replies_policy?: RepliesPolicy;

  changes(): ListChanges {
    return { title: this.title, exclusive: this.exclusive, repliesPolicy: this.replies_policy };
  }
}

/** Omitted fields stay unchanged. */
export class ListChangesBody {
  @Describe('The name of the list.')
  @OptionalText({ max: TITLE_LENGTH })
  title?: string;
  @Describe('Whether posts of the members leave the home timeline.')
  @BooleanLike()
  exclusive?: boolean;
  @Describe('Which replies of the members the list shows.')
  @OneOf(REPLIES_POLICIES)
  replies_policy?: RepliesPolicy;

  /** @throws Unprocessable for a blank title */
  changes(): ListUpdate {
    if (this.title !== undefined && isBlank(this.title)) throw new Unprocessable('title must not be empty');
    return { title: this.title, exclusive: this.exclusive, repliesPolicy: this.replies_policy };
  }
}

export class ListMembersBody {
  @Describe('The ids of the accounts.')
  @IdList()
  account_ids?: string[];
}

/** A page whose limit may be 0, which means all: apps send it. */
export class ListMembersQuery {
  @Describe('Only entries before this one: its id, or the cursor in the `Link` header.')
  @OptionalId()
  max_id?: string;
  @Describe('The entries that follow this one immediately.')
  @OptionalId()
  min_id?: string;
  @Describe('The newest entries after this one.')
  @OptionalId()
  since_id?: string;
  @Describe('The most accounts of the answer; 0: all of them.')
  @PageLimitOrAll()
  limit = DEFAULT_LIMIT;
  @PageOffset()
  offset = 0;
}
