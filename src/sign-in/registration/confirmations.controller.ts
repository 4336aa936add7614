import { Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Type } from 'typebox';
import {
  Answers,
  type ApiRequest,
  ClientApi,
  Describe,
  DomainError,
  Forbidden,
  html,
  Input,
  Json,
  NothingShape,
  OptionalText,
  Pages,
  Public,
  RateLimit,
  RootApi,
  Scopes,
  Summary,
  SvcApi,
  Trimmed,
} from '../../common/index.js';
import { CONFIRMATION_PATH, SIGN_IN_PATH } from '../pages/form.pages.js';
import { ConfirmationsService } from './confirmations.service.js';

const MAX_LENGTH = 512;

class ResendBody {
  @Describe('The mail address of the account.')
  @OptionalText({ max: MAX_LENGTH })
  @Trimmed()
  email = '';
  @Describe('The nickname of the account, instead of the address.')
  @OptionalText({ max: MAX_LENGTH })
  nickname = '';
}

/** Sends the letter once more (spec §4.2). The answer does not reveal whether a user waits for it (threat O13). */
@SvcApi('accounts')
export class ConfirmationResendController {
  constructor(private readonly confirmations: ConfirmationsService) {}

  @Summary('Sends the mail that confirms an address again; the answer reveals nothing.')
  @Post('confirmation_resend')
  @Public()
  @RateLimit('account_confirmation_resend')
  @HttpCode(204)
  async resend(@Input(ResendBody) { email, nickname }: ResendBody): Promise<void> {
    const login = email || nickname;
    if (login !== '') await this.confirmations.resend(login);
  }
}

/**
 * `/api/v1/emails` (reference). Here a user gets a token when the address is confirmed, so no token's owner waits for a
 * letter: apps send it again by `confirmation_resend`.
 */
@ClientApi('v1', 'emails')
export class EmailsController {
  @Summary('Returns 403: no token exists before the mail address is confirmed.')
  @Post('confirmations')
  @Scopes('write:accounts')
  @Answers(NothingShape)
  resend(): never {
    throw new Forbidden('This method is only available while the e-mail is awaiting confirmation');
  }

  @Summary("Shows whether the caller's mail address is confirmed: always true.")
  @Get('check_confirmation')
  @Scopes('read:accounts')
  @Answers(Type.Literal(true))
  check(): Json {
    return Json.of(true);
  }
}

/** The link in the letter. HEAD confirms nothing, because mail programs check links with it. */
@RootApi('api/account')
export class ConfirmationLinkController {
  constructor(
    private readonly confirmations: ConfirmationsService,
    private readonly pages: Pages,
  ) {}

  @Get('confirm_email/:user_id/:token')
  @Public()
  async confirm(
    @Param('user_id') accountId: string,
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    try {
      if (request.method === 'HEAD') await this.confirmations.require(accountId, token);
      else await this.confirmations.confirm(accountId, token);
    } catch (error) {
      if (!(error instanceof DomainError) || request.accepts(['json', 'html']) !== 'html') throw error;
      this.explain(request, response.status(error.status));
      return;
    }
    response.redirect(302, `${SIGN_IN_PATH}?confirmed=true`);
  }

  /** Explains an expired link to the user. */
  private explain(request: ApiRequest, response: Response): void {
    const t = this.pages.translator(request);
    const title = t.text('confirm.invalid.title');
    const main = html`<div class="narrow">
      <h1>${title}</h1>
      <p class="lead">${t.text('confirm.invalid.text')}</p>
      <p><a href="${CONFIRMATION_PATH}">${t.text('confirm.title')}</a></p>
      <p><a href="/">${t.text('page.home')}</a></p>
    </div>`;
    this.pages.page(t, { title, main }).send(response);
  }
}
