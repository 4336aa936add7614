import {
  Describe,
  Invalid,
  momentOf,
  OptionalId,
  OptionalText,
  PageNumber,
  PageSize,
  phrase,
} from '../../common/index.js';
import type { LogFilter } from './moderation-log.repository.js';

const MAX_DATE = 40;
const MAX_SEARCH = 500;

export class ModerationLogQuery {
  @PageNumber()
  page = 1;
  @PageSize({ max: 1_000 })
  page_size = 50;
  @Describe('The earliest time (ISO 8601).')
  @OptionalText({ max: MAX_DATE })
  start_date = '';
  @Describe('The latest time (ISO 8601).')
  @OptionalText({ max: MAX_DATE })
  end_date = '';
  @Describe('The id of the account that acted.')
  @OptionalId()
  user_id?: string;
  @Describe('Words of the entries.')
  @OptionalText({ max: MAX_SEARCH })
  search = '';

  /** Throws Invalid for what is no date. */
  filter(): LogFilter {
    const { user_id: actorId, search } = this;
    return { actorId, search, from: date('start_date', this.start_date), until: date('end_date', this.end_date) };
  }
}

function date(name: string, text: string): Date | undefined {
  if (text === '') return undefined;
  const moment = momentOf(text);
  if (!moment) throw new Invalid(phrase('{field} must be a date', { field: name }));
  return moment;
}
