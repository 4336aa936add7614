import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  html,
  Input,
  OptionalText,
  type PageContent,
  Pages,
  Public,
  RootApi,
  type Translator,
} from '../../common/index.js';
import { CredentialAttempts } from '../guessing/credential-attempts.js';
import { formPage, messagePage } from '../pages/form.pages.js';
import { BrowserSessions } from './browser-sessions.js';
import { START_LINK_PATH, StartLink } from './start-link.js';

const MAX_LENGTH = 200;
/** The page that the administrator of a new server begins with. */
const CHECKLIST_PATH = '/app/start';

class StartLinkBody {
  @OptionalText({ max: MAX_LENGTH }) token = '';
}

/** Signs the administrator in by the link that the first start printed. A visit alone changes nothing: programs look at links too. */
@RootApi('auth/start')
export class StartLinkController {
  constructor(
    private readonly link: StartLink,
    private readonly sessions: BrowserSessions,
    private readonly attempts: CredentialAttempts,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  ask(@Input(StartLinkBody) { token }: StartLinkBody, @Req() request: ApiRequest, @Res() response: Response): void {
    const t = this.pages.translator(request);
    const isValid = this.link.isValid(token);
    this.pages.page(t, isValid ? startPage(t, token) : overPage(t)).send(response.status(isValid ? 200 : 404));
  }

  @Post()
  @Public()
  async signIn(
    @Input(StartLinkBody) { token }: StartLinkBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    await this.attempts.weigh(`start ${this.attempts.addressOf(request)}`, this.link.isValid(token));
    const accountId = this.link.spend(token);
    if (accountId === undefined) {
      const t = this.pages.translator(request);
      this.pages.page(t, overPage(t)).send(response.status(404));
      return;
    }
    await this.sessions.startFirst(accountId, response);
    response.redirect(303, CHECKLIST_PATH);
  }
}

function startPage(t: Translator, token: string): PageContent {
  const form = html`<p class="lead">${t.text('start.link.text')}</p>
    <form method="post" action="${START_LINK_PATH}">
      <input type="hidden" name="token" value="${token}" />
      <button>${t.text('start.link.submit')}</button>
    </form>`;
  return formPage(t.text('start.link.title'), undefined, form);
}

function overPage(t: Translator): PageContent {
  return messagePage(t.text('start.link.title'), t.text('start.link.over'));
}
