import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { parseUrl } from '../../platform/index.js';
import { type ApiRequest, BooleanLike, Input, OptionalText, Pages, Public, RootApi } from '../../common/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { SIGN_IN_PATH } from '../pages/form.pages.js';
import { codeNeededPage, refusal, signInPage } from './sign-in.pages.js';

const MAX_LENGTH = 4096;

class ReturnQuery {
  /** A path of this server. */
  @OptionalText({ max: MAX_LENGTH }) return_to = '';
}

class SignInQuery extends ReturnQuery {
  /** Says that the address of the account is confirmed. */
  @BooleanLike() confirmed = false;
}

class SignInBody extends ReturnQuery {
  @OptionalText({ max: MAX_LENGTH }) name = '';
  @OptionalText({ max: MAX_LENGTH }) password = '';
}

class SignOutBody {
  @OptionalText({ max: MAX_LENGTH }) _csrf?: string;
}

/** Signs people in to the pages of this server, and out. */
@RootApi('auth')
export class SignInController {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly pages: Pages,
  ) {}

  @Get('sign_in')
  @Public()
  async ask(
    @Input(SignInQuery) { return_to, confirmed }: SignInQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (await this.sessions.find(request)) {
      response.redirect(302, ownPath(return_to));
      return;
    }
    const t = this.pages.translator(request);
    const said = confirmed ? { notice: t.text('confirm.done') } : {};
    this.pages.page(t, signInPage(t, return_to, said)).send(response);
  }

  @Post('sign_in')
  @Public()
  async signIn(
    @Input(SignInBody) { name, password, return_to }: SignInBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    const next = { return_to: ownPath(return_to) };
    const result = await this.sessions.signIn({ login: name, password, next }, request, response);
    if (result.kind === 'signed-in' || result.kind === 'password-needed') {
      response.redirect(303, result.kind === 'signed-in' ? next.return_to : result.link);
      return;
    }
    const t = this.pages.translator(request);
    if (result.kind === 'code-needed') {
      const { challenge } = result;
      this.pages.page(t, codeNeededPage(t, { challenge, type: 'totp', returnTo: return_to })).send(response);
      return;
    }
    const [status, alarm] = result.kind === 'wrong' ? [401, t.text('sign-in.wrong')] : [403, refusal(t, result.state)];
    this.pages.page(t, signInPage(t, return_to, { alarm })).send(response.status(status));
  }

  @Post('sign_out')
  @Public()
  async signOut(
    @Input(SignOutBody) { _csrf }: SignOutBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const session = await this.sessions.find(request);
    if (session) this.sessions.requireForm(request, session, _csrf);
    await this.sessions.end(request, response);
    response.redirect(303, SIGN_IN_PATH);
  }
}

/** A path to go on with; anything that could lead to another site becomes the first page. */
export function ownPath(path: string): string {
  const base = 'https://here.invalid';
  const isOwn = path.startsWith('/') && parseUrl(path, base)?.origin === base;
  return isOwn ? path : '/';
}
