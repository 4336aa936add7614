import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { birthdayRules } from '../../accounts/index.js';
import {
  type ApiRequest,
  BooleanLike,
  html,
  type HtmlPage,
  Input,
  OptionalText,
  type PageContent,
  Pages,
  Public,
  RateLimit,
  RootApi,
  type Translator,
  Trimmed,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { InstanceDocuments } from '../../instance/index.js';
import {
  BrowserSessions,
  type CaptchaAnswer,
  CaptchaService,
  confirmationForm,
  formPage,
  InvitesService,
  LetterPages,
  messagePage,
  ownPath,
  RegistrationRefused,
  RegistrationService,
} from '../../sign-in/index.js';
import { registrationMessage } from '../parts/operator-text.part.js';
import { type SignUpForm, signUpPage } from './sign-up.page.js';

/** A long text is an error of its field. */
const MAX_LENGTH = 100_000;
const MAX_RETURN_LENGTH = 4096;

class SignUpQuery {
  /** The path of this server where the new account continues. */
  @OptionalText({ max: MAX_RETURN_LENGTH }) return_to = '';
}

class SignUpBody extends SignUpQuery {
  @OptionalText({ max: MAX_LENGTH }) username = '';
  @OptionalText({ max: MAX_LENGTH }) @Trimmed() email = '';
  @OptionalText({ max: MAX_LENGTH }) password = '';
  @OptionalText({ max: MAX_LENGTH }) reason = '';
  @OptionalText({ max: MAX_LENGTH }) birthday = '';
  @BooleanLike() agreement = false;
  /** An invite. */
  @OptionalText({ max: MAX_LENGTH }) token = '';
  @OptionalText({ max: MAX_LENGTH }) captcha_token?: string;
  /** The letters of the captcha's picture. */
  @OptionalText({ max: MAX_LENGTH }) captcha?: string;
  @OptionalText({ max: MAX_LENGTH }) captcha_answer_data?: string;
  /** The answer to the question that stands for the picture. */
  @OptionalText({ max: MAX_LENGTH }) question = '';
  @OptionalText({ max: MAX_LENGTH }) question_token?: string;
  @OptionalText({ max: MAX_LENGTH }) question_answer_data?: string;

  /** The answer to the picture, or the one to the question if there is one. */
  get answer(): CaptchaAnswer {
    return this.question.trim() === ''
      ? { token: this.captcha_token, solution: this.captcha, answerData: this.captcha_answer_data }
      : { token: this.question_token, solution: this.question, answerData: this.question_answer_data };
  }
}

/** Creates accounts in the browser, as apps do with `POST /api/v1/accounts`. */
@RootApi('')
export class SignUpController {
  constructor(
    private readonly settings: Settings,
    private readonly instance: InstanceDocuments,
    private readonly registrations: RegistrationService,
    private readonly invites: InvitesService,
    private readonly captchas: CaptchaService,
    private readonly sessions: BrowserSessions,
    private readonly letters: LetterPages,
    private readonly pages: Pages,
  ) {}

  @Get('auth/sign_up')
  @Public()
  @RateLimit('captcha')
  ask(@Input(SignUpQuery) { return_to }: SignUpQuery, @Req() request: ApiRequest): Promise<HtmlPage> {
    return this.page(request, { sent: Object.assign(new SignUpBody(), { return_to }), errors: {} });
  }

  /** The link of an invite, a secret. No other site gets it as a referrer; without one the form would name no origin. */
  @Get('registration/:token')
  @Public()
  @RateLimit('captcha')
  async invited(@Param('token') token: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    response.set('Cache-Control', 'no-store');
    const isKnown = (await this.invites.isValid(token)) && (await this.registrations.admits(token));
    if (!isKnown) {
      const t = this.pages.translator(request);
      this.pages.page(t, this.uselessInvite(t)).send(response.status(404));
      return;
    }
    (await this.page(request, { sent: Object.assign(new SignUpBody(), { token }), errors: {} })).send(response);
  }

  @Post('auth/sign_up')
  @Public()
  @RateLimit('app_account_creation')
  async signUp(
    @Input(SignUpBody) body: SignUpBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    const t = this.pages.translator(request);
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
        invite: body.token || undefined,
        captcha: body.answer,
      });
      if (state === 'ok') {
        await this.sessions.startFirst(accountId, response);
        response.redirect(303, ownPath(body.return_to));
        return;
      }
      const title = t.text('sign-up.done');
      const waiting =
        state === 'unconfirmed'
          ? this.letters.page(t, title, confirmationForm(t))
          : messagePage(title, t.text(`sign-in.${state}`));
      this.pages.page(t, waiting).send(response);
    } catch (error) {
      if (!(error instanceof RegistrationRefused)) throw error;
      (await this.page(request, { sent: body, errors: error.fields })).send(response.status(422));
    }
  }

  private async page(request: ApiRequest, form: Pick<SignUpForm, 'sent' | 'errors'>): Promise<HtmlPage> {
    const t = this.pages.translator(request);
    const { settings } = this;
    const { token } = form.sent;
    if (!(await this.registrations.admits(token || undefined))) return this.pages.page(t, this.closedPage(t, token));
    const { rules } = await this.instance.overview();
    const content = signUpPage(t, {
      ...form,
      rules,
      server: this.pages.site.name,
      needsEmail: settings.get('instance.account_activation_required'),
      needsReason: settings.get('instance.account_approval_required'),
      needsBirthday: birthdayRules(settings).required,
      message: registrationMessage(settings),
      captcha: await this.captchas.issue(),
      asked: this.captchas.ask(t.locale),
    });
    return this.pages.page(t, content);
  }

  private closedPage(t: Translator, token: string): PageContent {
    const bar = { here: 'sign-up' } as const;
    if (token !== '') return { ...this.uselessInvite(t), bar };
    const text = this.invites.role === 'off' ? 'landing.join.closed' : 'landing.join.invited';
    const content = html`<p class="lead">${t.text(text)}</p>
      ${registrationMessage(this.settings)}`;
    return { ...formPage(t.text('sign-up.title'), undefined, content), bar };
  }

  /** Says why an invite does not let its holder in. Where invites are off, the page does not tell a valid one apart. */
  private uselessInvite(t: Translator): PageContent {
    const reason = this.invites.role === 'off' ? 'sign-up.not-invited.off' : 'sign-up.not-invited.text';
    return messagePage(t.text('sign-up.not-invited.title'), t.text(reason));
  }
}
