import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  BooleanLike,
  type HtmlPage,
  Input,
  OptionalText,
  Pages,
  Public,
  RateLimit,
  RootApi,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { InstanceDocuments } from '../../instance/index.js';
import {
  BrowserSessions,
  CaptchaService,
  messagePage,
  ownPath,
  RegistrationRefused,
  RegistrationService,
} from '../../oauth/index.js';
import { type SignUpForm, signUpPage } from './sign-up.page.js';

/** A long text is an error of its field. */
const MAX_LENGTH = 100_000;
const MAX_RETURN_LENGTH = 4096;

class SignUpQuery {
  /** Where the new account goes on: a path of this server. */
  @OptionalText({ max: MAX_RETURN_LENGTH }) return_to = '';
}

class SignUpBody extends SignUpQuery {
  @OptionalText({ max: MAX_LENGTH }) username = '';
  @OptionalText({ max: MAX_LENGTH }) email = '';
  @OptionalText({ max: MAX_LENGTH }) password = '';
  @OptionalText({ max: MAX_LENGTH }) reason = '';
  @OptionalText({ max: MAX_LENGTH }) birthday = '';
  @BooleanLike() agreement = false;
  @OptionalText({ max: MAX_LENGTH }) captcha_token?: string;
  /** The letters of the captcha's picture. */
  @OptionalText({ max: MAX_LENGTH }) captcha?: string;
  @OptionalText({ max: MAX_LENGTH }) captcha_answer_data?: string;
}

/** Creates accounts in the browser, as apps do with `POST /api/v1/accounts`. */
@RootApi('auth/sign_up')
export class SignUpController {
  constructor(
    private readonly settings: Settings,
    private readonly instance: InstanceDocuments,
    private readonly registrations: RegistrationService,
    private readonly captchas: CaptchaService,
    private readonly sessions: BrowserSessions,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  ask(@Input(SignUpQuery) { return_to }: SignUpQuery, @Req() request: ApiRequest): Promise<HtmlPage> {
    return this.page(request, { sent: Object.assign(new SignUpBody(), { return_to }), errors: {} });
  }

  @Post()
  @Public()
  @RateLimit('app_account_creation')
  async signUp(
    @Input(SignUpBody) body: SignUpBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    const t = this.pages.translator(request);
    const { captcha_token: token, captcha: solution, captcha_answer_data: answerData } = body;
    try {
      const { accountId, state } = await this.registrations.enrol({
        username: body.username,
        password: body.password,
        agreement: body.agreement,
        email: body.email || undefined,
        birthday: body.birthday || undefined,
        reason: body.reason || undefined,
        displayName: undefined,
        bio: undefined,
        language: t.locale,
        captcha: { token, solution, answerData },
      });
      if (state === 'ok') {
        await this.sessions.startFirst(accountId, response);
        response.redirect(303, ownPath(body.return_to));
        return;
      }
      this.pages.page(t, messagePage(t.text('sign-up.done'), t.text(`sign-in.${state}`))).send(response);
    } catch (error) {
      if (!(error instanceof RegistrationRefused)) throw error;
      (await this.page(request, { sent: body, errors: error.fields })).send(response.status(422));
    }
  }

  private async page(request: ApiRequest, form: Pick<SignUpForm, 'sent' | 'errors'>): Promise<HtmlPage> {
    const t = this.pages.translator(request);
    const { settings } = this;
    if (!settings.get('instance.registrations_open')) {
      return this.pages.page(t, messagePage(t.text('sign-up.title'), t.text('landing.join.closed')));
    }
    const { rules } = await this.instance.overview();
    const content = signUpPage(t, {
      ...form,
      rules,
      server: this.pages.site.name,
      needsEmail: settings.get('instance.account_activation_required'),
      needsReason: settings.get('instance.account_approval_required'),
      needsBirthday: settings.get('instance.birthday_required'),
      captcha: this.captchas.issue(),
    });
    return this.pages.page(t, content);
  }
}
