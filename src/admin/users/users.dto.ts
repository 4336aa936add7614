import { ACCOUNT_FILTERS, type AccountFilter, type AccountSearch } from '../../accounts/index.js';
import {
  CsvList,
  Describe,
  Invalid,
  NestedList,
  OptionalText,
  PageNumber,
  PageSize,
  phrase,
  RequiredText,
  TextList,
  Trimmed,
} from '../../common/index.js';

const MAX_TEXT = 500;
/** Each takes a tenth of a second of computing. */
const MAX_NEW = 20;
const MAX_TAGS = 50;
const MAX_TAG = 100;
/** In one request; dashboards send what stands on a page. */
const MAX_NAMES = 1_000;

export class UsersQuery {
  @PageNumber()
  page = 1;
  @PageSize({ max: 1_000 })
  page_size = 50;
  @Describe(
    'Conditions such as `local`, `external`, `active`, `deactivated`, `need_approval`, `unconfirmed`, `is_admin`.',
  )
  @CsvList({ max: ACCOUNT_FILTERS.length })
  filters: string[] = [];
  @Describe('A part of the nickname, a domain, or both as `name@domain`.')
  @OptionalText({ max: MAX_TEXT })
  query = '';
  @Describe('A part of the name.')
  @OptionalText({ max: MAX_TEXT })
  name = '';
  @Describe('A part of the mail address.')
  @OptionalText({ max: MAX_TEXT })
  email = '';
  @Describe('Moderation tags, of which the accounts have any.')
  @TextList()
  tags: string[] = [];
  @Describe('The only kinds of accounts.')
  @TextList()
  actor_types: string[] = [];

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
  @Describe('The nicknames of the accounts; of other servers with their domains.')
  @TextList({ max: MAX_NAMES, maxLength: MAX_TEXT })
  nicknames: string[] = [];
}

export class NicknameBody {
  @Describe('The nickname of the account.')
  @RequiredText({ max: MAX_TEXT })
  nickname: string;
}

export class DeletionBody extends NicknamesBody {
  @Describe('The older form: one nickname.')
  @OptionalText({ max: MAX_TEXT })
  nickname = '';

  names(): readonly string[] {
    return this.nicknames.length > 0 || this.nickname === '' ? this.nicknames : [this.nickname];
  }
}

export class NewUserBody {
  @Describe('The nickname.')
  @RequiredText({ max: MAX_TEXT })
  nickname: string;
  @Describe('The mail address.')
  @RequiredText({ max: MAX_TEXT })
  @Trimmed()
  email: string;
  @Describe('The password of the account.')
  @RequiredText({ max: MAX_TEXT })
  password: string;
}

export class NewUsersBody {
  @Describe('The accounts to create.')
  @NestedList(() => NewUserBody, { max: MAX_NEW })
  users: NewUserBody[] = [];
}

export class FollowBody {
  @Describe('The nickname of the account that follows.')
  @RequiredText({ max: MAX_TEXT })
  follower: string;
  @Describe('The nickname of the account that is followed.')
  @RequiredText({ max: MAX_TEXT })
  followed: string;
}

export class TagsBody extends NicknamesBody {
  @Describe('The moderation tags.')
  @TextList({ max: MAX_TAGS, maxLength: MAX_TAG })
  tags: string[] = [];
}

function isFilter(text: string): text is AccountFilter {
  return ACCOUNT_FILTERS.some((filter) => filter === text);
}
