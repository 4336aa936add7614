import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { acctOf, AccountsService } from '../../accounts/index.js';
import {
  type ApiRequest,
  BooleanLike,
  type Html,
  Input,
  Nested,
  OneOf,
  OptionalText,
  type PageContent,
  Pages,
  Public,
  RootApi,
  TextList,
  type Translator,
} from '../../common/index.js';
import {
  type BrowserSession,
  BrowserSessions,
  type ChallengeType,
  type CodeNeeded,
  codeNeededPage,
  type NextStep,
  refusal,
  SIGN_IN_PATH,
} from '../../sign-in/index.js';
import { type Authorization, AuthorizationsService, type Problem } from './authorizations.service.js';
import { codePage, consentPage, deniedPage, parametersOf, pathTo, problemPage, targetsOf } from './authorize.pages.js';

const MAX_LENGTH = 4096;

class AuthorizationFields {
  @OptionalText({ max: MAX_LENGTH }) client_id?: string;
  @OptionalText({ max: MAX_LENGTH }) redirect_uri?: string;
  @TextList({ maxLength: MAX_LENGTH }) scope?: string[];
  @OptionalText({ max: MAX_LENGTH }) state?: string;
  @OptionalText({ max: MAX_LENGTH }) code_challenge?: string;
  @OptionalText({ max: MAX_LENGTH }) code_challenge_method?: string;
}

class AuthorizeQuery extends AuthorizationFields {
  @OptionalText({ max: MAX_LENGTH }) response_type?: string;
  /** Asks for the password again. */
  @BooleanLike() force_login = false;
  /** Any value asks for consent again; `login` and `select_account` for the password too. */
  @OptionalText({ max: MAX_LENGTH }) prompt?: string;
  /** The language of the page. */
  @OptionalText({ max: MAX_LENGTH }) lang?: string;
}

class DecisionFields extends AuthorizationFields {
  @OptionalText({ max: MAX_LENGTH }) name?: string;
  @OptionalText({ max: MAX_LENGTH }) password?: string;
  @BooleanLike() deny = false;
}

class AuthorizeBody {
  @Nested(() => DecisionFields) authorization?: DecisionFields;
  @OptionalText({ max: MAX_LENGTH }) _csrf?: string;
}

class CodeQuery {
  @OptionalText({ max: MAX_LENGTH }) mfa_token = '';
  @OneOf(['totp', 'recovery']) challenge_type: ChallengeType = 'totp';
}

class CodeFields extends CodeQuery {
  @OptionalText({ max: MAX_LENGTH }) code = '';
}

class VerifyBody {
  @Nested(() => CodeFields) mfa?: CodeFields;
}

const STATUS: Readonly<Record<Problem, number>> = {
  app: 400,
  redirect: 400,
  'response-type': 400,
  challenge: 400,
  scopes: 401,
};

type Aim = Pick<CodeNeeded, 'returnTo' | 'submitsTo'>;

/** The authorization code flow in the browser (RFC 6749 §4.1, RFC 9700). */
@RootApi('oauth')
export class AuthorizeController {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly sessions: BrowserSessions,
    private readonly accounts: AccountsService,
    private readonly pages: Pages,
  ) {}

  @Get('authorize')
  @Public()
  async ask(
    @Input(AuthorizeQuery) query: AuthorizeQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const t = query.lang === undefined ? this.pages.translator(request) : this.pages.translatorFor(query.lang);
    const asked = query.response_type === 'code' ? await this.authorizations.read(query) : 'response-type';
    if (typeof asked === 'string') {
      this.refuse(response, t, asked);
      return;
    }
    const { prompt } = query;
    const needsPassword = query.force_login || prompt === 'login' || prompt === 'select_account';
    const session = needsPassword ? undefined : await this.sessions.find(request);
    if (session && prompt === undefined && (await this.authorizations.isAllowedAlready(session.accountId, asked))) {
      return this.allow(response, t, asked, session);
    }
    return this.show(response, t, asked, session);
  }

  /** The owner allows or denies, with a password or in a session. */
  @Post('authorize')
  @Public()
  async decide(
    @Input(AuthorizeBody) { authorization, _csrf }: AuthorizeBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    const t = this.pages.translator(request);
    const fields = authorization ?? new DecisionFields();
    const asked = await this.authorizations.read(fields);
    if (typeof asked === 'string') {
      this.refuse(response, t, asked);
      return;
    }
    if (fields.scope === undefined) {
      this.refuse(response, t, 'scopes');
      return;
    }
    if (fields.deny) {
      this.deny(response, t, asked);
      return;
    }
    const { name, password } = fields;
    if (name !== undefined || password !== undefined) {
      return this.signIn(request, response, t, asked, { name, password });
    }
    const session = await this.sessions.find(request);
    if (!session) return this.show(response.status(401), t, asked, undefined);
    this.sessions.requireForm(request, session, _csrf);
    return this.allow(response, t, asked, session);
  }

  /** Asks for the other kind of code. */
  @Get('mfa')
  @Public()
  async code(
    @Input(CodeQuery) { mfa_token: challenge, challenge_type: type }: CodeQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const t = this.pages.translator(request);
    const next = await this.sessions.next(challenge);
    if (!next) {
      response.redirect(302, SIGN_IN_PATH);
      return;
    }
    this.askCode(response, t, { challenge, type, ...(await this.aimOf(next)) });
  }

  /** Goes on with the sign-in that a code was needed for. */
  @Post('mfa/verify')
  @Public()
  async verify(
    @Input(VerifyBody) { mfa = new CodeFields() }: VerifyBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    const t = this.pages.translator(request);
    const { mfa_token: challenge, challenge_type: type, code } = mfa;
    const next = await this.sessions.next(challenge);
    const found = await this.sessions.signInWithCode({ token: challenge, type, code }, request, response);
    if (!found) {
      const aim = next && (await this.aimOf(next));
      const alarm = t.text('second-factor.wrong');
      this.askCode(response.status(401), t, { challenge, type, alarm, ...aim });
      return;
    }
    if (found.next.return_to !== undefined) {
      response.redirect(303, found.next.return_to);
      return;
    }
    const asked = await this.authorizations.read(found.next.authorization ?? {});
    if (typeof asked === 'string') {
      this.refuse(response, t, asked);
      return;
    }
    return this.allow(response, t, asked, found.session);
  }

  /** Where a sign-in leads. */
  private async aimOf({ authorization, return_to: returnTo }: NextStep): Promise<Aim> {
    const asked = authorization && (await this.authorizations.read(authorization));
    return asked === undefined || typeof asked === 'string' ? { returnTo } : aimOf(asked);
  }

  private askCode(response: Response, t: Translator, needed: CodeNeeded): void {
    this.send(response, t, codeNeededPage(t, needed));
  }

  private async signIn(
    request: ApiRequest,
    response: Response,
    t: Translator,
    asked: Authorization,
    { name = '', password = '' }: { readonly name: string | undefined; readonly password: string | undefined },
  ): Promise<void> {
    const next = { authorization: parametersOf(asked) };
    const result = await this.sessions.signIn({ login: name, password, next }, request, response);
    switch (result.kind) {
      case 'wrong':
        return this.show(response.status(401), t, asked, undefined, t.text('sign-in.wrong'));
      case 'refused':
        return this.show(response.status(403), t, asked, undefined, refusal(t, result.state));
      case 'password-needed':
        response.redirect(303, result.link);
        return;
      case 'code-needed': {
        this.askCode(response, t, { challenge: result.challenge, type: 'totp', ...aimOf(asked) });
        return;
      }
      case 'signed-in':
        return this.allow(response, t, asked, result.session);
    }
  }

  private async allow(response: Response, t: Translator, asked: Authorization, session: BrowserSession): Promise<void> {
    const granted = await this.authorizations.allow(session, asked);
    if (granted === 'signed-out') return this.show(response.status(401), t, asked, undefined);
    if (granted === 'scopes') this.refuse(response, t, granted);
    else if ('code' in granted) this.send(response, t, codePage(t, asked, granted.code));
    else leave(response, granted.location);
  }

  private deny(response: Response, t: Translator, asked: Authorization): void {
    const location = this.authorizations.denied(asked);
    if (location === undefined) this.send(response, t, deniedPage(t));
    else leave(response, location);
  }

  private refuse(response: Response, t: Translator, problem: Problem): void {
    this.send(response.status(STATUS[problem]), t, problemPage(t, problem));
  }

  private async show(
    response: Response,
    t: Translator,
    asked: Authorization,
    session: BrowserSession | undefined,
    alarm?: Html | string,
  ): Promise<void> {
    const account = session && (await this.accounts.byId(session.accountId));
    const handle = account ? `@${acctOf(account.nickname, account.domain)}` : '';
    this.send(response, t, consentPage(t, asked, { session, handle, alarm }));
  }

  private send(response: Response, t: Translator, content: PageContent): void {
    this.pages.page(t, content).send(response);
  }
}

function aimOf(asked: Authorization): Aim {
  return { returnTo: pathTo(asked), submitsTo: targetsOf(asked) };
}

/** Sends the browser back to the app. The address holds a secret, so it must not become a referrer. */
function leave(response: Response, location: string): void {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(302, location);
}
