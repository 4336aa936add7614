import { Get, Post, Req } from '@nestjs/common';
import {
  type ApiRequest,
  type HtmlPage,
  Input,
  OptionalText,
  Pages,
  Public,
  RateLimit,
  RootApi,
  type Translator,
} from '../../common/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { LetterPages } from '../pages/letter-pages.js';
import { confirmationForm, confirmationRequestedPage } from '../registration/confirmation.pages.js';
import { ConfirmationsService } from '../registration/confirmations.service.js';

const MAX_LENGTH = 512;

class ConfirmationBody {
  /** An address or a nickname. */
  @OptionalText({ max: MAX_LENGTH }) login = '';
}

/** Sends the letter that confirms an address again, for people without an app. The answer is the same with and without a letter. */
@RootApi('auth/confirmation')
export class ConfirmationPagesController {
  constructor(
    private readonly confirmations: ConfirmationsService,
    private readonly sessions: BrowserSessions,
    private readonly letters: LetterPages,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  form(@Req() request: ApiRequest): HtmlPage {
    const t = this.pages.translator(request);
    return this.pages.page(t, this.formPage(t));
  }

  @Post()
  @Public()
  @RateLimit('account_confirmation_resend')
  async resend(@Input(ConfirmationBody) { login }: ConfirmationBody, @Req() request: ApiRequest): Promise<HtmlPage> {
    this.sessions.requireOwnForm(request);
    if (login !== '') await this.confirmations.resend(login);
    const t = this.pages.translator(request);
    return this.pages.page(t, this.letters.isOn ? confirmationRequestedPage(t) : this.formPage(t));
  }

  private formPage(t: Translator) {
    return this.letters.page(t, t.text('confirm.title'), confirmationForm(t));
  }
}
