import { Get, Post } from '@nestjs/common';
import { type PageAnswer, RateLimit, RootApi, SignedIn } from '../../../common/index.js';
import { OnlineChecksService } from '../../../instance/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { onlineChecksPage } from './online-checks.page.js';

/** The checks of `ctl doctor --online` on a page, for administrators. Findings are shown once and stored nowhere. */
@RootApi('app/start/check')
export class OnlineChecksController {
  constructor(
    private readonly pages: SessionPages,
    private readonly checks: OnlineChecksService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => onlineChecksPage(visit.t, visit.session, {}));
  }

  /** Each run uploads a file of the largest size. */
  @Post()
  @SignedIn('admin:write')
  @RateLimit('uploads:online_checks')
  run(@Visiting() visit: Visit): Promise<PageAnswer> {
    const { t, session } = visit;
    const run = async () => onlineChecksPage(t, session, { report: await this.checks.run() });
    return this.pages.submit(visit, run, (alarm) => onlineChecksPage(t, session, { alarm }));
  }
}
