import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { acctOf, AccountsService, UsersService } from '../../accounts/index.js';
import {
  type ApiRequest,
  Input,
  OneOf,
  OptionalText,
  type PageContent,
  RootApi,
  SignedIn,
} from '../../common/index.js';
import { TokensService } from '../../oauth/index.js';
import {
  type BrowserSession,
  BrowserSessions,
  CredentialAttempts,
  messagePage,
  MfaService,
  OwnAccountService,
  type Owner,
  OwnSecurityService,
} from '../../sign-in/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import {
  accountPage,
  deletePage,
  emailPage,
  passwordPage,
  type Said,
  secondFactorPage,
  type SecondFactorState,
  sessionsPage,
} from './account.pages.js';

const MAX_LENGTH = 1_024;

class SecurityBody {
  @OptionalText({ max: MAX_LENGTH }) _csrf?: string;
  @OptionalText({ max: MAX_LENGTH }) password = '';
}

class PasswordBody extends SecurityBody {
  @OptionalText({ max: MAX_LENGTH }) new_password = '';
}

class EmailBody extends SecurityBody {
  /** Empty removes the address. */
  @OptionalText({ max: MAX_LENGTH }) email = '';
}

class SecondFactorBody extends SecurityBody {
  /** `renew` makes new recovery codes. */
  @OneOf(['enable', 'disable', 'renew']) op: 'enable' | 'disable' | 'renew' = 'renew';
  @OptionalText({ max: MAX_LENGTH }) code = '';
}

class SessionBody extends SecurityBody {
  /** The sign-in to end. */
  @OptionalText({ max: MAX_LENGTH }) id = '';
}

/** The pages on which people look after the security of their account. They need no script. */
@RootApi('auth/account')
export class SecurityPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly attempts: CredentialAttempts,
    private readonly security: OwnSecurityService,
    private readonly mfa: MfaService,
    private readonly tokens: TokensService,
    private readonly account: OwnAccountService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get()
  @SignedIn()
  overview(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, async ({ t, session }) => {
      const account = await this.accounts.byId(session.accountId);
      return accountPage(t, session, account ? `@${acctOf(account.nickname, account.domain)}` : '');
    });
  }

  @Get('password')
  @SignedIn()
  password(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, ({ t, session }) => Promise.resolve(passwordPage(t, session)));
  }

  @Post('password')
  @SignedIn()
  changePassword(
    @Input(PasswordBody) { _csrf, password, new_password: newPassword }: PasswordBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const change = async ({ t, session }: Visit) => {
      await this.security.changePassword(this.owner(session, password, request), newPassword, session.tokenId);
      return passwordPage(t, session, { notice: t.text('account.saved') });
    };
    const retry = ({ t, session }: Visit, alarm: string) => Promise.resolve(passwordPage(t, session, { alarm }));
    return this.pages.submit(request, response, _csrf, change, retry);
  }

  @Get('email')
  @SignedIn()
  email(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => this.emailPage(visit));
  }

  @Post('email')
  @SignedIn()
  changeEmail(
    @Input(EmailBody) { _csrf, password, email }: EmailBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const change = async (visit: Visit) => {
      const { t, session } = visit;
      await this.security.changeEmail(this.owner(session, password, request), email);
      const isChanged = (await this.users.facts(session.accountId)).email === (email || null);
      return this.emailPage(visit, { notice: t.text(isChanged ? 'account.saved' : 'account.email.sent') });
    };
    return this.pages.submit(request, response, _csrf, change, (visit, alarm) => this.emailPage(visit, { alarm }));
  }

  @Get('second_factor')
  @SignedIn()
  secondFactor(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => this.secondFactorPage(visit));
  }

  @Post('second_factor')
  @SignedIn()
  changeSecondFactor(
    @Input(SecondFactorBody) { _csrf, op, code, password }: SecondFactorBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const change = async (visit: Visit) => {
      const { accountId } = visit.session;
      const address = this.attempts.addressOf(request);
      if (op === 'disable') await this.mfa.disable(accountId, password, address);
      if (op === 'enable') await this.mfa.confirm(accountId, password, code, address);
      const newCodes = op === 'disable' ? [] : await this.mfa.renewRecoveryCodes(accountId);
      return this.secondFactorPage(visit, { newCodes }, { notice: visit.t.text('account.saved') });
    };
    const retry = (visit: Visit, alarm: string) => this.secondFactorPage(visit, {}, { alarm });
    return this.pages.submit(request, response, _csrf, change, retry);
  }

  @Get('sessions')
  @SignedIn()
  signIns(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => this.sessionsPage(visit));
  }

  @Post('sessions')
  @SignedIn()
  endSignIn(
    @Input(SessionBody) { _csrf, id }: SessionBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const end = async (visit: Visit) => {
      await this.tokens.endOf(visit.session.accountId, id);
      return this.sessionsPage(visit, { notice: visit.t.text('account.saved') });
    };
    return this.pages.submit(request, response, _csrf, end, (visit, alarm) => this.sessionsPage(visit, { alarm }));
  }

  @Get('delete')
  @SignedIn()
  askDeletion(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, ({ t, session }) => Promise.resolve(deletePage(t, session)));
  }

  @Post('delete')
  @SignedIn()
  delete(
    @Input(SecurityBody) { _csrf, password }: SecurityBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const deletion = async (visit: Visit) => {
      await this.account.delete(visit.session.accountId, password, this.attempts.addressOf(request));
      await this.sessions.end(request, response);
      this.pages.sendSignedOut(visit, messagePage(visit.t.text('account.delete'), visit.t.text('account.delete.done')));
      return undefined;
    };
    const retry = ({ t, session }: Visit, alarm: string) => Promise.resolve(deletePage(t, session, { alarm }));
    return this.pages.submit(request, response, _csrf, deletion, retry);
  }

  private owner({ accountId }: BrowserSession, password: string, request: ApiRequest): Owner {
    return { accountId, password, address: this.attempts.addressOf(request) };
  }

  private async emailPage({ t, session }: Visit, said: Said = {}): Promise<PageContent> {
    const { email } = await this.users.facts(session.accountId);
    return emailPage(t, session, email, said);
  }

  /** While the second factor is off, the page offers a new secret. */
  private async secondFactorPage(
    { t, session }: Visit,
    state: Omit<SecondFactorState, 'setup'> = {},
    said: Said = {},
  ): Promise<PageContent> {
    const { accountId } = session;
    const setup = (await this.mfa.isEnabled(accountId)) ? undefined : await this.mfa.offer(accountId);
    return secondFactorPage(t, session, { ...state, setup }, said);
  }

  private async sessionsPage({ t, session }: Visit, said: Said = {}): Promise<PageContent> {
    return sessionsPage(t, session, await this.tokens.signInsOf(session.accountId), said);
  }
}
