import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { UserRefused } from '../../accounts/index.js';
import {
  type ApiRequest,
  type HtmlPage,
  Input,
  Nested,
  OptionalText,
  type PageContent,
  Pages,
  Public,
  RateLimit,
  RootApi,
  SvcApi,
  type Translator,
  Trimmed,
} from '../../common/index.js';
import { LetterPages } from '../pages/letter-pages.js';
import {
  newPasswordPage,
  resetDonePage,
  resetInvalidPage,
  resetRequestedPage,
  resetRequestForm,
} from './password-resets.pages.js';
import { PasswordResetsService } from './password-resets.service.js';

const MAX_LENGTH = 2_048;

class ResetRequestBody {
  /** An address or a nickname. */
  @OptionalText({ max: MAX_LENGTH }) @Trimmed() email = '';
  @OptionalText({ max: MAX_LENGTH }) nickname = '';
}

class NewPasswordFields {
  @OptionalText({ max: MAX_LENGTH }) token = '';
  @OptionalText({ max: MAX_LENGTH }) password = '';
  @OptionalText({ max: MAX_LENGTH }) password_confirmation = '';
}

class NewPasswordBody {
  @Nested(() => NewPasswordFields) data?: NewPasswordFields;
}

/** Asks for a letter with a link. The answer is the same with and without a letter (threats O12, O13). */
@RootApi('auth/password')
export class ResetRequestController {
  constructor(
    private readonly resets: PasswordResetsService,
    private readonly letters: LetterPages,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  form(@Req() request: ApiRequest): HtmlPage {
    const t = this.pages.translator(request);
    return this.pages.page(t, this.formPage(t));
  }

  /** Apps get 204, the form a page. */
  @Post()
  @Public()
  @RateLimit('password_reset')
  async request(
    @Input(ResetRequestBody) { email, nickname }: ResetRequestBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.resets.request(email || nickname);
    if (request.accepts(['json', 'html']) !== 'html') {
      response.status(204).end();
      return;
    }
    const t = this.pages.translator(request);
    this.pages.page(t, this.letters.isOn ? resetRequestedPage(t) : this.formPage(t)).send(response);
  }

  private formPage(t: Translator): PageContent {
    return this.letters.page(t, t.text('reset.title'), resetRequestForm(t));
  }
}

/** The link in the letter, and the form it leads to. Both hold a secret, which must not become a referrer. */
@SvcApi('password_reset')
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResetsService,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @Public()
  async ask(@Param('token') token: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const t = this.pages.translator(request);
    if (await this.resets.isValid(token)) this.send(request, response, newPasswordPage(t, token));
    else this.send(request, response.status(404), resetInvalidPage(t));
  }

  @Post()
  @Public()
  async reset(
    @Input(NewPasswordBody) { data = new NewPasswordFields() }: NewPasswordBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const [status, page] = await this.outcome(this.pages.translator(request), data);
    this.send(request, response.status(status), page);
  }

  private async outcome(t: Translator, fields: NewPasswordFields): Promise<readonly [number, PageContent]> {
    const { token, password, password_confirmation: again } = fields;
    if (password !== again) return [422, newPasswordPage(t, token, t.text('reset.new.differs'))];
    try {
      return (await this.resets.complete(token, password)) ? [200, resetDonePage(t)] : [404, resetInvalidPage(t)];
    } catch (error) {
      if (!(error instanceof UserRefused)) throw error;
      return [422, newPasswordPage(t, token, t.text('reset.new.refused'))];
    }
  }

  private send(request: ApiRequest, response: Response, content: PageContent): void {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    this.pages.page(this.pages.translator(request), content).send(response);
  }
}
