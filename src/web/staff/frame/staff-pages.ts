import { Injectable } from '@nestjs/common';
import { StaffRights } from '../../../access/index.js';
import { HandledReportsService, type WaitingCounts } from '../../../admin/index.js';
import { html, type PageAnswer, type PageContent } from '../../../common/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { staffNav } from './staff-nav.part.js';
import { SECTIONS } from './staff-sections.js';

type Content = PageContent | Promise<PageContent>;

/** The path to return to after a deletion: the list, where the form stood on the page of what is deleted. */
export function listFrom({ form: { return_to: from } }: Visit, list: string): string {
  return from.startsWith(`${list}/`) ? list : from;
}

/** Shows pages of the staff with their navigation, and accepts their forms. */
@Injectable()
export class StaffPages {
  constructor(
    private readonly pages: SessionPages,
    private readonly rights: StaffRights,
    private readonly reports: HandledReportsService,
  ) {}

  /** Shows a page; `waiting` is what waits for the staff, 0 for what this member may not see. */
  open(visit: Visit, show: (visit: Visit, waiting: Promise<WaitingCounts>) => Content): Promise<PageAnswer> {
    return this.pages.open(visit, () => {
      const waiting = this.waiting(visit);
      return this.framed(visit, show(visit, waiting), waiting);
    });
  }

  /** Accepts a form, as {@link SessionPages.submit} does. */
  submit(
    visit: Visit,
    act: (visit: Visit) => Promise<PageContent | string>,
    retry: (alarm: string, visit: Visit) => Content,
  ): Promise<PageAnswer> {
    const perform = async () => {
      const next = await act(visit);
      return typeof next === 'string' ? next : this.framed(visit, next);
    };
    return this.pages.submit(visit, perform, (alarm) => this.framed(visit, retry(alarm, visit)));
  }

  /** Accepts a button that returns to its page, as {@link SessionPages.act} does. */
  act(visit: Visit, act: (visit: Visit) => Promise<unknown>, back?: string): Promise<PageAnswer> {
    return this.pages.act(visit, act, { back });
  }

  private waiting({ may }: Visit): Promise<WaitingCounts> {
    return this.reports.waiting({ reports: may('admin:read:reports'), signUps: may('admin:read:accounts') });
  }

  private async framed(visit: Visit, page: Content, waiting = this.waiting(visit)): Promise<PageContent> {
    const { auth, t, request } = visit;
    const sections = SECTIONS.filter(({ scopes }) => this.rights.admits(auth, scopes));
    const [content, { reports, signUps }] = await Promise.all([page, waiting]);
    return {
      ...content,
      main: html`${staffNav(t, sections, request.path, { 'staff.reports': reports, 'staff.sign-ups': signUps })}
      ${content.main}`,
    };
  }
}
