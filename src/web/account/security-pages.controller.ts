import { Get, Post } from '@nestjs/common';
import { acctOf, AccountsService, UsersService } from '../../accounts/index.js';
import {
  Input,
  OneOf,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
  Trimmed,
} from '../../common/index.js';
import { TokensService } from '../../oauth/index.js';
import {
  BrowserSessions,
  CredentialAttempts,
  messagePage,
  MfaService,
  OwnAccountService,
  type Owner,
  OwnSecurityService,
} from '../../sign-in/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
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
  @OptionalText({ max: MAX_LENGTH }) password = '';
}

class PasswordBody extends SecurityBody {
  @OptionalText({ max: MAX_LENGTH }) new_password = '';
}

class EmailBody extends SecurityBody {
  /** Empty removes the address. */
  @OptionalText({ max: MAX_LENGTH }) @Trimmed() email = '';
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
  overview(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session }) => {
      const account = await this.accounts.byId(session.accountId);
      return accountPage(t, session, account ? `@${acctOf(account.nickname, account.domain)}` : '');
    });
  }

  @Get('password')
  @SignedIn()
  password(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, ({ t, session }) => passwordPage(t, session));
  }

  @Post('password')
  @SignedIn()
  changePassword(
    @Input(PasswordBody) { password, new_password: newPassword }: PasswordBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const change = async ({ t, session }: Visit) => {
      await this.security.changePassword(this.owner(visit, password), newPassword, session.tokenId);
      return passwordPage(t, session, { notice: t.text('account.saved') });
    };
    const retry = (alarm: string, { t, session }: Visit) => passwordPage(t, session, { alarm });
    return this.pages.submit(visit, change, retry);
  }

  @Get('email')
  @SignedIn()
  email(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.emailPage(visit));
  }

  @Post('email')
  @SignedIn()
  changeEmail(@Input(EmailBody) { password, email }: EmailBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const change = async () => {
      const { t, session } = visit;
      await this.security.changeEmail(this.owner(visit, password), email);
      const isChanged = (await this.users.facts(session.accountId)).email === (email || null);
      return this.emailPage(visit, { notice: t.text(isChanged ? 'account.saved' : 'account.email.sent') });
    };
    return this.pages.submit(visit, change, (alarm) => this.emailPage(visit, { alarm }));
  }

  @Get('second_factor')
  @SignedIn()
  secondFactor(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.secondFactorPage(visit));
  }

  @Post('second_factor')
  @SignedIn()
  changeSecondFactor(
    @Input(SecondFactorBody) { op, code, password }: SecondFactorBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const change = async () => {
      const { accountId } = visit.session;
      const address = this.attempts.addressOf(visit.request);
      if (op === 'disable') await this.mfa.disable(accountId, password, address);
      if (op === 'enable') await this.mfa.confirm(accountId, password, code, address);
      const newCodes = op === 'disable' ? [] : await this.mfa.renewRecoveryCodes(accountId);
      return this.secondFactorPage(visit, { newCodes }, { notice: visit.t.text('account.saved') });
    };
    const retry = (alarm: string) => this.secondFactorPage(visit, {}, { alarm });
    return this.pages.submit(visit, change, retry);
  }

  @Get('sessions')
  @SignedIn()
  signIns(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.sessionsPage(visit));
  }

  @Post('sessions')
  @SignedIn()
  endSignIn(@Input(SessionBody) { id }: SessionBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const end = async () => {
      await this.tokens.endOf(visit.session.accountId, id);
      return this.sessionsPage(visit, { notice: visit.t.text('account.saved') });
    };
    return this.pages.submit(visit, end, (alarm) => this.sessionsPage(visit, { alarm }));
  }

  @Get('delete')
  @SignedIn()
  askDeletion(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, ({ t, session }) => deletePage(t, session));
  }

  @Post('delete')
  @SignedIn()
  delete(@Input(SecurityBody) { password }: SecurityBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const deletion = async () => {
      await this.account.delete(visit.session.accountId, password, this.attempts.addressOf(visit.request));
      await this.sessions.end(visit.request, visit.response);
      return this.pages.signedOut(
        visit,
        messagePage(visit.t.text('account.delete'), visit.t.text('account.delete.done')),
      );
    };
    const retry = (alarm: string, { t, session }: Visit) => deletePage(t, session, { alarm });
    return this.pages.submit(visit, deletion, retry);
  }

  private owner({ session: { accountId }, request }: Visit, password: string): Owner {
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
