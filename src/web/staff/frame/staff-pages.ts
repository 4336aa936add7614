import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { StaffRights } from '../../../access/index.js';
import { type ApiRequest, type Auth, html, type PageContent } from '../../../common/index.js';
import type { SentFormBody } from '../../frame/sent-form.dto.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { staffNav } from './staff-nav.part.js';
import { SECTIONS } from './staff-sections.js';
import { StaffWaitingService } from './staff-waiting.service.js';

/** A request of a member of the staff to one of its pages. */
export interface StaffVisit extends Visit {
  /** Whether this member may use the administrative routes with this scope. */
  readonly may: (scope: string) => boolean;
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
  open(request: ApiRequest, response: Response, show: (visit: StaffVisit) => Promise<PageContent>): Promise<void> {
    return this.pages.open(request, response, (visit) => this.framed(visit, show));
  }

  /** Accepts a form, as {@link SessionPages.submit} does. */
  submit(
    request: ApiRequest,
    response: Response,
    { _csrf: csrf }: SentFormBody,
    act: (visit: StaffVisit) => Promise<PageContent | string>,
    retry: (visit: StaffVisit, alarm: string) => Promise<PageContent>,
  ): Promise<void> {
    const perform = async (visit: Visit) => {
      const next = await act(this.staffVisit(visit));
      return typeof next === 'string' ? next : this.framed(visit, () => Promise.resolve(next));
    };
    return this.pages.submit(request, response, csrf, perform, (visit, alarm) =>
      this.framed(visit, (staff) => retry(staff, alarm)),
    );
  }

  /** Accepts a button that returns to its page, as {@link SessionPages.act} does. */
  act(
    request: ApiRequest,
    response: Response,
    body: SentFormBody,
    act: (visit: StaffVisit) => Promise<unknown>,
    anchor?: string,
  ): Promise<void> {
    return this.pages.act(request, response, body, (visit) => act(this.staffVisit(visit)), anchor);
  }

  private async framed(visit: Visit, show: (visit: StaffVisit) => Promise<PageContent>): Promise<PageContent> {
    const { auth, t, request } = visit;
    const sections = SECTIONS.filter(({ scopes }) => this.rights.admits(auth, scopes));
    const [content, counts] = await Promise.all([show(this.staffVisit(visit)), this.counts(auth)]);
    return { ...content, main: html`${staffNav(t, sections, request.path, counts)} ${content.main}` };
  }

  private staffVisit(visit: Visit): StaffVisit {
    return { ...visit, may: (scope) => this.rights.admits(visit.auth, [scope]) };
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
