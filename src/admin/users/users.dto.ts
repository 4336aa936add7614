import { ACCOUNT_FILTERS, type AccountFilter, type AccountSearch } from '../../accounts/index.js';
import {
  CsvList,
  Invalid,
  NestedList,
  OptionalText,
  PageNumber,
  phrase,
  RequiredText,
  TextList,
} from '../../common/index.js';

const MAX_TEXT = 500;
/** Each takes a tenth of a second of computing. */
const MAX_NEW = 20;
const MAX_TAGS = 50;
const MAX_TAG = 100;
/** In one request; dashboards send what stands on a page. */
const MAX_NAMES = 1_000;

export class UsersQuery {
  @PageNumber() page = 1;
  @PageNumber({ max: 1_000 }) page_size = 50;
  @CsvList({ max: ACCOUNT_FILTERS.length }) filters: string[] = [];
  @OptionalText({ max: MAX_TEXT }) query = '';
  @OptionalText({ max: MAX_TEXT }) name = '';
  @OptionalText({ max: MAX_TEXT }) email = '';
  @TextList() tags: string[] = [];
  @TextList() actor_types: string[] = [];

  /** Throws Invalid for an unknown filter. */
  search(): AccountSearch {
    const { query, name, email, tags, actor_types: actorTypes } = this;
    const filters = this.filters.filter(isFilter);
    if (filters.length < this.filters.length)
      throw new Invalid(phrase('filters must be of {words}', { words: ACCOUNT_FILTERS.join(', ') }));
    return { filters, query, name, email, tags, actorTypes };
  }
}

export class NicknamesBody {
  @TextList({ max: MAX_NAMES, maxLength: MAX_TEXT }) nicknames: string[] = [];
}

export class NicknameBody {
  @RequiredText({ max: MAX_TEXT }) nickname: string;
}

export class DeletionBody extends NicknamesBody {
  /** The older form (spec §9.3). */
  @OptionalText({ max: MAX_TEXT }) nickname = '';

  names(): readonly string[] {
    return this.nicknames.length > 0 || this.nickname === '' ? this.nicknames : [this.nickname];
  }
}

export class NewUserBody {
  @RequiredText({ max: MAX_TEXT }) nickname: string;
  @RequiredText({ max: MAX_TEXT }) email: string;
  @RequiredText({ max: MAX_TEXT }) password: string;
}

export class NewUsersBody {
  @NestedList(() => NewUserBody, { max: MAX_NEW }) users: NewUserBody[] = [];
}

export class FollowBody {
  @RequiredText({ max: MAX_TEXT }) follower: string;
  @RequiredText({ max: MAX_TEXT }) followed: string;
}

export class TagsBody extends NicknamesBody {
  @TextList({ max: MAX_TAGS, maxLength: MAX_TAG }) tags: string[] = [];
}

function isFilter(text: string): text is AccountFilter {
  return ACCOUNT_FILTERS.some((filter) => filter === text);
}
