import { Get, Param, Post } from '@nestjs/common';
import { Input, type PageAnswer, type PageContent, PageQuery, RootApi, SignedIn } from '../../../common/index.js';
import { ScheduledService, type ScheduledStatusJson, ScheduledView } from '../../../statuses/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { TimeBody } from './compose.dto.js';
import { SCHEDULED_PATH, type ScheduledPage, scheduledPage } from './scheduled.page.js';
import { objectOf } from '../../parts/rendered.js';

/** The page of the person's scheduled posts. */
@RootApi('app/scheduled')
export class ScheduledPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly scheduled: ScheduledService,
    private readonly view: ScheduledView,
  ) {}

  @Get()
  @SignedIn()
  list(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit, query));
  }

  @Post(':id')
  @SignedIn()
  move(@Param('id') id: string, @Input(TimeBody) form: TimeBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      await this.scheduled.move(id, session.accountId, form.time() ?? '');
      return SCHEDULED_PATH;
    };
    const retry = (alarm: string) => this.page(visit, new PageQuery(), { id, form, alarm });
    return this.pages.submit(visit, act, retry);
  }

  @Post(':id/delete')
  @SignedIn()
  remove(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.scheduled.remove(id, session.accountId));
  }

  private async page(
    { t, session }: Visit,
    query: PageQuery,
    refused?: ScheduledPage['refused'],
  ): Promise<PageContent> {
    const { items, cursors } = await this.scheduled.page(session.accountId, query);
    const posts = items.map((row) => objectOf<ScheduledStatusJson>(this.view.one(row)));
    const next = items.length < query.limit ? undefined : cursors?.last;
    return scheduledPage(t, session, { posts, next, now: new Date(), ...(refused && { refused }) });
  }
}
