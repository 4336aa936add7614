import { Injectable } from '@nestjs/common';
import {
  birthdayProblem,
  birthdayRules,
  type NewUserOptions,
  UserRefused,
  UsersService,
} from '../../accounts/index.js';
import {
  asReason,
  type FieldError,
  fieldErrors,
  FieldProblems,
  Invalid,
  type Reason,
  TextPolicies,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { InvitesService } from '../invites/invites.service.js';
import { type AppRow, AppsService, grantedScopes, notYet, type TokenBody, TokensService } from '../../oauth/index.js';
import { type CaptchaAnswer, CaptchaService } from '../captcha/captcha.service.js';

/** The input of a registration. */
export interface Registration {
  readonly username: string;
  readonly email: string | undefined;
  readonly password: string;
  readonly agreement: boolean;
  readonly displayName: string | undefined;
  readonly bio: string | undefined;
  readonly reason: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly birthday: string | undefined;
  readonly language: string | undefined;
  /** The token of an invite, needed while registration is closed. */
  readonly invite: string | undefined;
  readonly captcha: CaptchaAnswer;
}

/** A token, or the reason why the new account gets none yet. */
export type RegistrationResult = TokenBody | { readonly identifier: string; readonly message: string };

type Problems = Record<string, readonly Reason[]>;

const INVALID_INVITE: Problems = { token: ['is invalid'] };

/** Fields of a user that registration calls by other names. */
const PARAMETERS: Readonly<Record<string, string>> = { nickname: 'username', display_name: 'fullname' };

/** A registration that breaks rules. The text is JSON, a list of messages by field; apps of the reference API read `details`. */
export class RegistrationRefused extends Invalid {
  readonly fields: Readonly<Record<string, readonly FieldError[]>>;

  constructor(problems: Problems) {
    const fields = fieldErrors(problems);
    super(asReason(JSON.stringify(problems)), { details: { details: fields } });
    this.fields = fields;
  }
}

/** A new account, and whether it may sign in yet. */
export interface Enrolled {
  readonly accountId: string;
  readonly state: 'ok' | 'unconfirmed' | 'unapproved';
}

/** Registration with an app or a browser (spec §4.3). */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly settings: Settings,
    private readonly apps: AppsService,
    private readonly users: UsersService,
    private readonly policies: TextPolicies,
    private readonly tokens: TokensService,
    private readonly captchas: CaptchaService,
    private readonly invites: InvitesService,
  ) {}

  /**
   * Creates an account, and signs it in unless it waits for approval or the confirmation of its address.
   * @throws RegistrationRefused
   */
  async register(appId: string, registration: Registration): Promise<RegistrationResult> {
    const app = await this.apps.byId(appId);
    const { accountId, state } = await this.enrol(registration, app.trusted);
    return state === 'ok' ? this.signIn(app, accountId) : notYet(state);
  }

  /**
   * Creates an account. Apps that the operator vouches for need no captcha.
   * @throws RegistrationRefused
   */
  async enrol(registration: Registration, isTrusted = false): Promise<Enrolled> {
    const closed = await this.closedTo(registration.invite);
    if (closed) throw new RegistrationRefused(closed);
    const person = personOf(registration);
    await this.requireAllowed(registration, person);
    if (!isTrusted) await this.requireCaptcha(registration.captcha);
    const isConfirmed = !this.settings.get('instance.account_activation_required');
    const isApproved = !this.settings.get('instance.account_approval_required');
    const accountId = await this.create({ ...person, isConfirmed, isApproved }, registration.invite);
    if (!isConfirmed) return { accountId, state: 'unconfirmed' };
    return { accountId, state: isApproved ? 'ok' : 'unapproved' };
  }

  /** Whether sign-up is open, or open with this invite. */
  async admits(invite: string | undefined): Promise<boolean> {
    return (await this.closedTo(invite)) === undefined;
  }

  private get isOpen(): boolean {
    return this.settings.get('instance.registrations_open');
  }

  private async closedTo(invite: string | undefined): Promise<Problems | undefined> {
    if (this.isOpen) return undefined;
    if (!this.settings.get('instance.invites_enabled')) return { registrations: ['are closed'] };
    if (invite === undefined) return { token: ["can't be blank"] };
    return (await this.invites.isValid(invite)) ? undefined : INVALID_INVITE;
  }

  /** Part of the unit of work that creates the account: without the account the invite is not used (threat A10). */
  private async useInvite(token: string | undefined): Promise<void> {
    if (token !== undefined && !(await this.invites.use(token))) throw new RegistrationRefused(INVALID_INVITE);
  }

  private async create(person: NewUserOptions, invite: string | undefined): Promise<string> {
    const token = this.isOpen ? undefined : invite;
    try {
      const { id } = await this.users.create(person, () => this.useInvite(token));
      return id;
    } catch (error) {
      if (error instanceof UserRefused) throw new RegistrationRefused(asAppsNameThem(error.fields));
      throw error;
    }
  }

  /** A new account is no administrator, so its token has no scope of administration. */
  private signIn({ id: appId, scopes }: AppRow, accountId: string): Promise<TokenBody> {
    return this.tokens.issue({ appId, accountId, scopes: grantedScopes([], scopes, false) ?? [] });
  }

  /**
   * Checked after the form, so that an error there does not use the captcha up. A name or an address that is taken does:
   * otherwise one captcha would serve to ask for any number of them (threat O12).
   */
  private async requireCaptcha(answer: CaptchaAnswer): Promise<void> {
    if (!this.captchas.isNeeded) return;
    const problem = await this.captchas.problem(answer);
    if (problem !== undefined) throw new RegistrationRefused({ captcha: [problem] });
  }

  private async requireAllowed(registration: Registration, person: NewUserOptions): Promise<void> {
    const { displayName = '', bio = '' } = person;
    const problems = new FieldProblems();
    await problems.check('nickname', () => this.users.requireValid(person));
    const needsEmail = this.settings.get('instance.account_activation_required');
    if (needsEmail && registration.email === undefined) problems.add({ email: ["can't be blank"] });
    if (!registration.agreement) problems.add({ agreement: ['must be accepted'] });
    const birthday = birthdayProblem(registration.birthday ?? null, birthdayRules(this.settings));
    if (birthday !== undefined) problems.add({ birthday: [birthday] });
    await problems.check('display_name', () => this.policies.requireAccepted([displayName]));
    await problems.check('bio', () => this.policies.requireAccepted([bio]));
    problems.throwIfAny((fields) => new RegistrationRefused(asAppsNameThem(fields)));
  }
}

function personOf(registration: Registration): NewUserOptions {
  const { username, email, password, displayName, bio, birthday, reason, language } = registration;
  return { nickname: username, email, password, displayName, bio, birthday, reason, locale: language };
}

function asAppsNameThem(fields: UserRefused['fields']): Problems {
  return Object.fromEntries(Object.entries(fields).map(([field, messages]) => [PARAMETERS[field] ?? field, messages]));
}
