import { Get } from '@nestjs/common';
import type { WaitingCounts } from '../../../admin/index.js';
import { type PageAnswer, RootApi, SignedIn, type Translator } from '../../../common/index.js';
import { InstanceDocuments } from '../../../instance/index.js';
import { StatusTotals } from '../../../statuses/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { STAFF_PATH, STAFF_SCOPES } from '../frame/staff-sections.js';
import { type Overview, overviewPage } from './overview.page.js';

/** The first page of the staff. */
@RootApi('app/staff')
export class OverviewController {
  constructor(
    private readonly pages: StaffPages,
    private readonly documents: InstanceDocuments,
    private readonly totals: StatusTotals,
  ) {}

  @Get()
  @SignedIn(...STAFF_SCOPES)
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    const { t } = visit;
    return this.pages.open(visit, async (_visit, counts) => {
      const [waiting, figures] = await Promise.all([counts, this.figures(visit)]);
      return overviewPage(t, { waiting: waitingOf(t, waiting), figures });
    });
  }

  /** The public totals of the server, and those of the posts with every visibility as the API shows them. */
  private async figures({ t, may }: Visit): Promise<Overview['figures']> {
    const { totals } = await this.documents.overview();
    const shown = [
      { label: t.text('staff.figures.users'), value: totals.users },
      { label: t.text('staff.figures.active'), value: totals.activeMonth },
      { label: t.text('staff.figures.servers'), value: totals.domains },
    ];
    if (!may('admin:read:statuses')) return shown;
    const counts = await this.totals.ofServer();
    const names = ['public', 'unlisted', 'private', 'direct'] as const;
    const posts = names.map((name) => ({ label: t.text(`staff.figures.${name}`), value: counts.get(name) ?? 0 }));
    return [...shown, ...posts];
  }
}

function waitingOf(t: Translator, { reports, signUps }: WaitingCounts): Overview['waiting'] {
  return [
    { path: `${STAFF_PATH}/reports`, label: t.text('staff.waiting.reports'), value: reports },
    { path: `${STAFF_PATH}/sign_ups`, label: t.text('staff.waiting.sign-ups'), value: signUps },
  ];
}
