import { Injectable } from '@nestjs/common';
import { StaffRights } from '../../../access/index.js';
import { type Auth, html, type PageAnswer, type PageContent } from '../../../common/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { staffNav } from './staff-nav.part.js';
import { SECTIONS } from './staff-sections.js';
import { StaffWaitingService } from './staff-waiting.service.js';

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
    private readonly waiting: StaffWaitingService,
  ) {}

  /** Shows a page. */
  open(visit: Visit, show: (visit: Visit) => Content): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.framed(visit, show(visit)));
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

  private async framed({ auth, t, request }: Visit, page: Content): Promise<PageContent> {
    const sections = SECTIONS.filter(({ scopes }) => this.rights.admits(auth, scopes));
    const [content, counts] = await Promise.all([page, this.counts(auth)]);
    return { ...content, main: html`${staffNav(t, sections, request.path, counts)} ${content.main}` };
  }

  /** What waits, by the message of its section; only what this member may see. */
  private async counts(auth: Auth): Promise<Readonly<Record<string, number>>> {
    const count = (scope: string, ask: () => Promise<number>) => (this.rights.admits(auth, [scope]) ? ask() : 0);
    const [reports, signUps] = await Promise.all([
      count('admin:read:reports', () => this.waiting.countOpenReports()),
      count('admin:read:accounts', () => this.waiting.countSignUps()),
    ]);
    return { 'staff.reports': reports, 'staff.sign-ups': signUps };
  }
}
