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
  HtmlPage,
  type Json,
  type PageAnswer,
  type PageContent,
  Pages,
  readInput,
  SeeOther,
  TooLarge,
  TooManyRequests,
  type Translator,
  Unauthorized,
} from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand } from '../../platform/index.js';
import { type BrowserSession, BrowserSessions, ownPath, WRONG_CODE, WRONG_PASSWORD } from '../../sign-in/index.js';
import { appNav, type Owner, ownerOf } from './app-nav.js';
import { actionsForm } from '../parts/forms.part.js';
import { objectOf } from '../parts/rendered.js';
import { SentFormBody } from './sent-form.dto.js';

/** The source of pictures that somebody has chosen in a form: the script shows them before they are sent. */
const CHOSEN_FILES = 'blob:';

const MINUTE = 60;
const NO_FORM = new SentFormBody();

/** One request of a signed-in person to a page: a parameter `@Visiting()` of a handler with `@SignedIn()`. */
export interface Visit {
  readonly auth: Auth;
  readonly session: BrowserSession;
  readonly t: Translator;
  /** What the form of a page sends beside its own fields. */
  readonly form: SentFormBody;
  readonly request: ApiRequest;
  readonly response: Response;
  /** Whether this person may use the administrative routes with this scope. */
  readonly may: (scope: string) => boolean;
}

type Content = PageContent | Promise<PageContent>;

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

  /** @throws Unauthorized without a session */
  visit(request: ApiRequest, response: Response): Visit {
    const { auth, input = {} } = request;
    const session = auth && this.sessions.ofAuth(auth);
    if (!auth || !session) throw new Unauthorized();
    const form = request.method === 'POST' ? readInput(SentFormBody, input) : NO_FORM;
    const may = (scope: string) => this.rights.admits(auth, [scope]);
    return { auth, session, t: this.pages.translator(request), form, request, response, may };
  }

  /** Shows a page. */
  async open(visit: Visit, show: (visit: Visit) => Content): Promise<PageAnswer> {
    if (visit.request.refusal) throw visit.request.refusal;
    return this.framed(visit, await show(visit));
  }

  /**
   * Takes a form: does what it asks for, and shows the page that follows. After a failure the page tells the reason and
   * nothing has changed. So it does where the request was refused before: too many of them, or a file too large.
   * @param act returns the page that follows, or the path to continue at
   * @throws Forbidden for a form of another session
   */
  async submit(
    visit: Visit,
    act: (visit: Visit) => Promise<PageContent | HtmlPage | string>,
    retry: (alarm: string, visit: Visit) => Content,
  ): Promise<PageAnswer> {
    this.sessions.requireForm(visit.request, visit.session, visit.form._csrf);
    try {
      if (visit.request.refusal) throw visit.request.refusal;
      const next = await act(visit);
      if (typeof next === 'string') return new SeeOther(next);
      return next instanceof HtmlPage ? next : await this.framed(visit, next);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      visit.response.status(error.status >= 400 ? error.status : 422);
      if (error instanceof TooManyRequests) visit.response.set(error.headers);
      return this.framed(visit, await retry(reasonOf(visit.t, error), visit));
    }
  }

  /**
   * Takes a button that does one thing, and returns to its page; a failure is shown on a page of its own.
   * @param to the element of the page to return to, or the path of another page
   * @throws Forbidden for a form of another session
   */
  act(
    visit: Visit,
    act: (visit: Visit) => Promise<unknown>,
    to: { readonly anchor?: string | undefined; readonly back?: string | undefined } = {},
  ): Promise<PageAnswer> {
    const back = ownPath(to.back ?? visit.form.return_to);
    const done = async () => {
      await act(visit);
      return to.anchor === undefined ? back : `${back.replace(/#.*$/, '')}#${to.anchor}`;
    };
    return this.submit(visit, done, (alarm) => failurePage(visit.t, alarm, back));
  }

  /** The last page for a person whose session has just ended. */
  signedOut({ t }: Visit, content: PageContent): HtmlPage {
    return this.pages.page(t, content);
  }

  private ownerOf(account: Json): Owner {
    const owner = this.owners.get(account) ?? ownerOf(objectOf(account), this.brand.word);
    this.owners.set(account, owner);
    return owner;
  }

  private async framed({ auth, session, t, request }: Visit, content: PageContent): Promise<HtmlPage> {
    const own = await this.accounts.own(session.accountId, { settingsStore: false });
    const nav = appNav(t, this.ownerOf(own), this.rights.mayAdminister(auth), request.path);
    const main = html`${actionsForm(session, request.originalUrl)} ${content.main}`;
    const sources = [...this.files.sources, ...(content.sources ?? []), CHOSEN_FILES];
    return this.pages.page(t, { ...content, main, nav, isApp: true, sources });
  }
}

function failurePage(t: Translator, alarm: string, back: string): PageContent {
  const title = t.text('app.failed');
  const main: Html = html`<div class="narrow">
    <h1>${title}</h1>
    <p class="alarm" role="alert">${alarm}</p>
    <p><a href="${back}">&larr; ${t.text('app.back')}</a></p>
  </div>`;
  return { title, main };
}

function reasonOf(t: Translator, error: DomainError): string {
  if (error.message === WRONG_PASSWORD) return t.text('account.wrong-password');
  if (error instanceof TooLarge) return t.text('app.too-large');
  if (error instanceof TooManyRequests) return tooFast(t, Number(error.headers['Retry-After']));
  if (error.message === WRONG_CODE) return t.text('second-factor.wrong');
  return t.text('account.failed', { reason: t.reason(error.reason) });
}

/** Says when to try again. */
function tooFast(t: Translator, seconds: number): string {
  if (seconds <= MINUTE) return t.text('app.too-fast.seconds', { count: seconds });
  return t.text('app.too-fast.minutes', { count: Math.ceil(seconds / MINUTE) });
}
