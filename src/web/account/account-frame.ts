import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { UserRefused } from '../../accounts/index.js';
import { type ApiRequest, DomainError, type PageContent, Pages, type Translator } from '../../common/index.js';
import { type BrowserSession, BrowserSessions, SIGN_IN_PATH, WrongPassword } from '../../sign-in/index.js';

/** One request of a signed-in owner to the pages of the account. */
export interface Visit {
  readonly session: BrowserSession;
  readonly t: Translator;
  readonly request: ApiRequest;
  readonly response: Response;
}

/** The common part of all pages of an account: they need a session, and forms need its token. */
@Injectable()
export class AccountFrame {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly pages: Pages,
  ) {}

  /** Shows a page to the owner; others sign in first. */
  async open(request: ApiRequest, response: Response, show: (visit: Visit) => Promise<PageContent>): Promise<void> {
    const session = await this.sessions.find(request);
    if (!session) {
      this.leave(request, response);
      return;
    }
    const t = this.pages.translator(request);
    this.send(response, t, await show({ session, t, request, response }));
  }

  /**
   * Takes a form of the owner: does what it asks for, and shows the page that follows. After a failure the page tells
   * the reason and nothing has changed.
   * @param act returns the page that follows; undefined when it sent an answer itself
   * @throws Forbidden for a form of another session
   */
  async submit(
    request: ApiRequest,
    response: Response,
    csrf: string | undefined,
    act: (visit: Visit) => Promise<PageContent | undefined>,
    retry: (visit: Visit, alarm: string) => Promise<PageContent>,
  ): Promise<void> {
    const session = await this.sessions.find(request);
    if (!session) {
      this.leave(request, response);
      return;
    }
    this.sessions.requireForm(request, session, csrf);
    const visit = { session, t: this.pages.translator(request), request, response };
    try {
      const page = await act(visit);
      if (page) this.send(response, visit.t, page);
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof UserRefused)) throw error;
      const status = error instanceof DomainError && error.status >= 400 ? error.status : 422;
      this.send(response.status(status), visit.t, await retry(visit, reasonOf(visit.t, error)));
    }
  }

  private leave(request: ApiRequest, response: Response): void {
    const back = request.method === 'GET' ? request.path : '';
    response.redirect(303, `${SIGN_IN_PATH}?return_to=${encodeURIComponent(back)}`);
  }

  private send(response: Response, t: Translator, content: PageContent): void {
    this.pages.page(t, content).send(response);
  }
}

function reasonOf(t: Translator, error: Error): string {
  if (error instanceof WrongPassword || error.message === 'Invalid password.') return t.text('account.wrong-password');
  if (error.message === 'invalid_token') return t.text('second-factor.wrong');
  return t.text('account.failed', { reason: error.message });
}
