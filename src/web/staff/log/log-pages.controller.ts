import { Get } from '@nestjs/common';
import { type LogFilter, ModerationLogService } from '../../../admin/index.js';
import {
  Input,
  Invalid,
  momentOf,
  OptionalText,
  type PageAnswer,
  PageNumber,
  phrase,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { logPage } from './log.page.js';

const PAGE_SIZE = 50;
const MAX_SEARCH = 500;
const MAX_DATE = 40;
const MAX_ID = 64;
const DAY_MS = 86_400_000;

class LogPageQuery {
  @OptionalText({ max: MAX_SEARCH }) search = '';
  @OptionalText({ max: MAX_DATE }) from = '';
  @OptionalText({ max: MAX_DATE }) until = '';
  @OptionalText({ max: MAX_ID }) actor = '';
  @PageNumber() page = 1;

  /** Both days are included. @throws Invalid for what is no day */
  filter(): LogFilter {
    const last = dayOf(this.until);
    return {
      search: this.search,
      from: dayOf(this.from),
      before: last && new Date(last.getTime() + DAY_MS),
      actorId: this.actor || undefined,
    };
  }
}

/** The moderation log, by the service of the API. */
@RootApi('app/staff/log')
export class LogPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly log: ModerationLogService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  list(@Input(LogPageQuery) query: LogPageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t }) => {
      const { rows, total } = await this.log.page(query.filter(), PAGE_SIZE, (query.page - 1) * PAGE_SIZE);
      return logPage(t, rows, { page: query.page, size: PAGE_SIZE, total }, query);
    });
  }
}

function dayOf(text: string): Date | undefined {
  if (text === '') return undefined;
  const day = momentOf(text);
  if (!day) throw new Invalid(phrase('{text} is no day', { text }));
  return day;
}
