import { Get, Param, Post } from '@nestjs/common';
import { AdminInstanceService } from '../../../admin/index.js';
import {
  BooleanLike,
  Input,
  Invalid,
  momentOf,
  OptionalText,
  type PageAnswer,
  type PageContent,
  phrase,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { AnnouncementsService } from '../../../instance/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { type AnnouncementDraftForm, ANNOUNCEMENTS_PATH, staffAnnouncementsPage } from './announcements.page.js';

const MAX_ANNOUNCEMENT = 20_000;
const MAX_TIME = 64;
const MOST_SHOWN = 100;

class AnnouncementFormBody {
  @OptionalText({ max: MAX_ANNOUNCEMENT }) content = '';
  @OptionalText({ max: MAX_TIME }) starts_at = '';
  @OptionalText({ max: MAX_TIME }) ends_at = '';
  @BooleanLike() all_day = false;

  get typed() {
    const { content, starts_at: startsAt, ends_at: endsAt, all_day: allDay } = this;
    return { content, startsAt, endsAt, allDay };
  }

  /** @throws Invalid for what is no time */
  get draft() {
    const { content, all_day: allDay } = this;
    return { content, startsAt: timeOf(this.starts_at), endsAt: timeOf(this.ends_at), allDay };
  }
}

/** Announcements for the staff, by the services of the API. */
@RootApi('app/staff/announcements')
export class AnnouncementPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly announcements: AnnouncementsService,
    private readonly changes: AdminInstanceService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  list(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  @Post()
  @SignedIn('admin:write')
  create(@Input(AnnouncementFormBody) body: AnnouncementFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const create = async ({ auth }: Visit) => {
      await this.changes.createAnnouncement(auth, body.draft);
      return ANNOUNCEMENTS_PATH;
    };
    const retry = (alarm: string) => this.page(visit, { alarm, typed: body.typed });
    return this.pages.submit(visit, create, retry);
  }

  @Post(':id')
  @SignedIn('admin:write')
  update(
    @Param('id') id: string,
    @Input(AnnouncementFormBody) body: AnnouncementFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const update = async ({ auth }: Visit) => {
      await this.changes.updateAnnouncement(auth, id, body.draft);
      return ANNOUNCEMENTS_PATH;
    };
    const retry = (alarm: string) => this.page(visit, { alarm, id, typed: body.typed });
    return this.pages.submit(visit, update, retry);
  }

  @Post(':id/delete')
  @SignedIn('admin:write')
  remove(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.changes.deleteAnnouncement(auth, id));
  }

  private async page({ t, session, may }: Visit, draft?: AnnouncementDraftForm): Promise<PageContent> {
    const rows = await this.announcements.page(MOST_SHOWN, 0);
    const shown = rows.map(({ id, source: content, startsAt, endsAt, allDay, active: isActive }) => {
      return { id, content, startsAt: fieldOf(startsAt), endsAt: fieldOf(endsAt), allDay, isActive };
    });
    return staffAnnouncementsPage(t, session, shown, may('admin:write'), draft);
  }
}

/** A moment as the field of a form has it, in UTC: with seconds only when there are some. */
function fieldOf(time: string | null): string {
  return time === null ? '' : new Date(time).toISOString().replace(/(?::00)?(?:\.000)?Z$/, '');
}

/** The fields of browsers have no zone: they are in UTC. */
function timeOf(text: string): Date | null {
  if (text === '') return null;
  const time = momentOf(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (!time) throw new Invalid(phrase('{text} is no time', { text }));
  return time;
}
