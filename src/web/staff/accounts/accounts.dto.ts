import type { AccountSearch } from '../../../accounts/index.js';
import { OneOf, OptionalText, PageNumber } from '../../../common/index.js';

const MAX_TEXT = 500;
const MAX_TAG = 100;

/** What the text of a search is compared with. */
export const SEARCH_FIELDS = ['handle', 'name', 'email'] as const;
export const ORIGINS = ['any', 'local', 'external'] as const;
export const STATES = ['any', 'active', 'need_approval', 'unconfirmed', 'deactivated'] as const;
export const ROLES = ['any', 'is_admin', 'is_moderator'] as const;

export class AccountsPageQuery {
  @OptionalText({ max: MAX_TEXT }) q = '';
  @OneOf(SEARCH_FIELDS) by: (typeof SEARCH_FIELDS)[number] = 'handle';
  @OneOf(ORIGINS) origin: (typeof ORIGINS)[number] = 'any';
  @OneOf(STATES) state: (typeof STATES)[number] = 'any';
  @OneOf(ROLES) role: (typeof ROLES)[number] = 'any';
  @PageNumber() page = 1;

  /** The search of the API. */
  search(): AccountSearch {
    const { q, by, origin, state, role } = this;
    const filters = [origin, state, role].filter((each): each is Exclude<typeof each, 'any'> => each !== 'any');
    return { filters, ...(by === 'handle' ? { query: q } : { [by]: q }) };
  }
}

export class PageOfListQuery {
  @PageNumber() page = 1;
}

export class AccountActionBody {
  @OptionalText({ max: MAX_TAG }) tag = '';
}
