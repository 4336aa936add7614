import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { StaffRights } from '../../access/index.js';
import { AccountView } from '../../accounts/index.js';
import {
  type ApiRequest,
  type Auth,
  DomainError,
  html,
  type Html,
  type Json,
  type PageContent,
  Pages,
  TooLarge,
  TooManyRequests,
  type Translator,
  Unauthorized,
} from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand } from '../../platform/index.js';
import { type BrowserSession, BrowserSessions, ownPath, WrongPassword } from '../../sign-in/index.js';
import { appNav, type Owner, ownerOf } from './app-nav.js';
import { actionsForm } from '../parts/forms.part.js';
import { objectOf } from '../parts/rendered.js';
import type { SentFormBody } from './sent-form.dto.js';

/** The source of pictures that somebody has chosen in a form: the script shows them before they are sent. */
const CHOSEN_FILES = 'blob:';

const MINUTE = 60;

/** One request of a signed-in person to a page (`@SignedIn()`). */
export interface Visit {
  readonly auth: Auth;
  readonly session: BrowserSession;
  readonly t: Translator;
  readonly request: ApiRequest;
  readonly response: Response;
}

/** Shows pages to signed-in people in their frame, and takes their forms, which need the token of the session (threat O19). */
@Injectable()
export class SessionPages {
  /** By accounts that are in memory. */
  private readonly owners = new WeakMap<Json, Owner>();

  constructor(
    private readonly sessions: BrowserSessions,
    private readonly pages: Pages,
    private readonly accounts: AccountView,
    private readonly files: MediaUrls,
    private readonly brand: Brand,
    private readonly rights: StaffRights,
  ) {}

  /** Shows a page. */
  async open(request: ApiRequest, response: Response, show: (visit: Visit) => Promise<PageContent>): Promise<void> {
    const visit = this.visit(request, response);
    if (request.refusal) throw request.refusal;
    await this.send(visit, await show(visit));
  }

  /**
   * Takes a form: does what it asks for, and shows the page that follows. After a failure the page tells the reason and
   * nothing has changed. So it does where the request was refused before: too many of them, or a file too large.
   * @param act returns the page that follows or the path to continue at; undefined when it sent an answer itself
   * @throws Forbidden for a form of another session
   */
  async submit(
    request: ApiRequest,
    response: Response,
    csrf: string | undefined,
    act: (visit: Visit) => Promise<PageContent | string | undefined>,
    retry: (visit: Visit, alarm: string) => Promise<PageContent>,
  ): Promise<void> {
    const visit = this.visit(request, response);
    this.sessions.requireForm(request, visit.session, csrf);
    try {
      if (request.refusal) throw request.refusal;
      const next = await act(visit);
      if (typeof next === 'string') response.redirect(303, next);
      else if (next) await this.send(visit, next);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const status = error.status >= 400 ? error.status : 422;
      response.status(status);
      if (error instanceof TooManyRequests) response.set(error.headers);
      await this.send(visit, await retry(visit, reasonOf(visit.t, error)));
    }
  }

  /**
   * Takes a button that does one thing, and returns to its page; a failure is shown on a page of its own.
   * @param anchor the element of the page to return to
   * @throws Forbidden for a form of another session
   */
  act(
    request: ApiRequest,
    response: Response,
    { _csrf: csrf, return_to: returnTo }: SentFormBody,
    act: (visit: Visit) => Promise<unknown>,
    anchor?: string,
  ): Promise<void> {
    const back = ownPath(returnTo);
    const done = async (visit: Visit) => {
      await act(visit);
      return anchor === undefined ? back : `${back.replace(/#.*$/, '')}#${anchor}`;
    };
    return this.submit(request, response, csrf, done, ({ t }, alarm) => Promise.resolve(failurePage(t, alarm, back)));
  }

  /** Sends the last page to a person whose session has just ended. */
  sendSignedOut({ t, response }: Visit, content: PageContent): void {
    this.pages.page(t, content).send(response);
  }

  private ownerOf(account: Json): Owner {
    const owner = this.owners.get(account) ?? ownerOf(objectOf(account), this.brand.word);
    this.owners.set(account, owner);
    return owner;
  }

  private visit(request: ApiRequest, response: Response): Visit {
    const { auth } = request;
    const session = auth && this.sessions.ofAuth(auth);
    if (!auth || !session) throw new Unauthorized();
    return { auth, session, t: this.pages.translator(request), request, response };
  }

  private async send({ auth, session, t, request, response }: Visit, content: PageContent): Promise<void> {
    const own = await this.accounts.own(session.accountId, { settingsStore: false });
    const nav = appNav(t, this.ownerOf(own), this.rights.mayAdminister(auth), request.path);
    const main = html`${actionsForm(session, request.originalUrl)} ${content.main}`;
    const sources = [...this.files.sources, ...(content.sources ?? []), CHOSEN_FILES];
    this.pages.page(t, { ...content, main, nav, isApp: true, sources }).send(response);
  }
}

function failurePage(t: Translator, alarm: string, back: string): PageContent {
  const title = t.text('app.failed');
  const main: Html = html`<div class="narrow">
    <h1>${title}</h1>
    <p class="alarm" role="alert">${alarm}</p>
    <p><a href="${back}">← ${t.text('app.back')}</a></p>
  </div>`;
  return { title, main };
}

function reasonOf(t: Translator, error: DomainError): string {
  if (error instanceof WrongPassword || error.message === 'Invalid password.') return t.text('account.wrong-password');
  if (error instanceof TooLarge) return t.text('app.too-large');
  if (error instanceof TooManyRequests) return tooFast(t, Number(error.headers['Retry-After']));
  if (error.message === 'invalid_token') return t.text('second-factor.wrong');
  return t.text('account.failed', { reason: t.reason(error.reason) });
}

/** Says when to try again. */
function tooFast(t: Translator, seconds: number): string {
  if (seconds <= MINUTE) return t.text('app.too-fast.seconds', { count: seconds });
  return t.text('app.too-fast.minutes', { count: Math.ceil(seconds / MINUTE) });
}
