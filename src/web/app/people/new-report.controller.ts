import { Get, Param, Post } from '@nestjs/common';
import { ReportsService } from '../../../admin/index.js';
import {
  Input,
  type Json,
  keyBy,
  type PageAnswer,
  type PageContent,
  PageQuery,
  RateLimit,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { RulesService } from '../../../instance/index.js';
import { StatusView } from '../../../statuses/index.js';
import { TimelinesService } from '../../../timelines/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { personPath } from '../../parts/listed-people.part.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { AppPeople } from './app-people.js';
import { ReportFormBody, ReportQuery } from './people.dto.js';
import { type ReportDraft, reportedPage, reportPage } from './report.page.js';

/** The posts that the page offers beside the one that led to it. */
const OFFERED = 10;

/** The page on which people report an account to the staff. */
@RootApi('app/people')
export class NewReportController {
  constructor(
    private readonly pages: SessionPages,
    private readonly people: AppPeople,
    private readonly statuses: AppStatuses,
    private readonly view: StatusView,
    private readonly timelines: TimelinesService,
    private readonly rules: RulesService,
    private readonly reports: ReportsService,
  ) {}

  @Get(':id/report')
  @SignedIn()
  ask(
    @Param('id') id: string,
    @Input(ReportQuery) { status_id: statusId, sent }: ReportQuery,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.open(visit, async () => {
      if (sent) return reportedPage(visit.t, await this.member(visit, id));
      const statusIds = statusId === undefined ? [] : [statusId];
      return this.page(visit, id, { statusIds, category: 'other', ruleIds: [], comment: '', forward: false });
    });
  }

  @Post(':id/report')
  @SignedIn()
  @RateLimit('report')
  file(
    @Param('id') id: string,
    @Input(ReportFormBody) form: ReportFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { status_ids: statusIds, rule_ids: ruleIds, category, comment, forward } = form;
    const draft = { statusIds, ruleIds, category, comment, forward };
    const act = async ({ auth, session }: Visit) => {
      const { id: accountId } = await this.people.find(id, auth);
      await this.reports.file(session.accountId, { accountId, ...draft });
      return `${personPath(accountId)}/report?sent=1`;
    };
    return this.pages.submit(visit, act, (alarm) => this.page(visit, id, draft, alarm));
  }

  private async member({ auth }: Visit, id: string) {
    return this.people.member(await this.people.find(id, auth), auth);
  }

  /** The posts that are chosen already come first, then the latest ones. */
  private async page(visit: Visit, id: string, draft: ReportDraft, alarm?: string): Promise<PageContent> {
    const { t, session } = visit;
    const [member, rules] = await Promise.all([this.member(visit, id), this.rules.all()]);
    const chosen = await this.view.byIds(draft.statusIds, { viewerId: session.accountId });
    const author = member.profile.person.id;
    const latest = await this.latest(author, session.accountId);
    const shown = [...chosen, ...latest].map((entry) => this.statuses.shown(entry));
    const posts = [...keyBy(shown, ({ id: postId }) => postId).values()].filter((post) => post.author.id === author);
    return reportPage(t, session, member, { posts, rules }, draft, alarm);
  }

  private async latest(authorId: string, viewerId: string): Promise<Json[]> {
    const query = Object.assign(new PageQuery(), { limit: OFFERED });
    const filter = {
      withMuted: true,
      excludeVisibilities: [],
      onlyMedia: false,
      reblogs: 'none',
      excludeReplies: false,
      tagged: null,
    } as const;
    const rows = await this.timelines.ofAccount(authorId, viewerId, query, filter);
    return this.view.many(rows, { viewerId, withMuted: true });
  }
}
