import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type LoginState, UsersService } from '../../accounts/index.js';
import { type ApiRequest, type Auth, Forbidden, Redirect } from '../../common/index.js';
import { ENV, type Env, sameSecret, SECRET_KEY, UnitOfWork } from '../../platform/index.js';
import { accountRefused, AppsService, type TokenBody, TokensService } from '../../oauth/index.js';
import { PasswordCheckService } from '../guessing/password-check.service.js';
import { MfaChallenges } from '../mfa/mfa-challenges.js';
import { type ChallengeType, MfaService } from '../mfa/mfa.service.js';
import { CredentialAttempts } from '../guessing/credential-attempts.js';
import { PasswordResetsService } from '../security/password-resets.service.js';
import { requireSameOrigin } from './same-origin.js';
import { SIGN_IN_PATH } from '../pages/form.pages.js';
import { dropSessionCookie, sessionCookieOf, setSessionCookie } from './session-cookie.js';

/** An account that is signed in to the pages of this server, in one browser. */
export interface BrowserSession {
  readonly accountId: string;
  readonly tokenId: string;
  readonly isAdmin: boolean;
  /** Proves that a form comes from a page of this session (threat O19). */
  readonly formToken: string;
}

/** The result of signing in with a password: a session, or the reason why there is none. */
export type SignIn =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'refused'; readonly state: Exclude<LoginState, 'ok'> }
  /** The address of the form for another password in place of the one that an administrator gave. */
  | { readonly kind: 'password-needed'; readonly link: string }
  /** The token of a challenge; see {@link BrowserSessions.signInWithCode}. */
  | { readonly kind: 'code-needed'; readonly challenge: string }
  | { readonly kind: 'signed-in'; readonly session: BrowserSession };

/** The state of a sign-in that waits for the code of a second factor. */
export interface NextStep {
  /** A path of this server. */
  readonly return_to?: string;
  /** The parameters of an app's request. */
  readonly authorization?: Readonly<Record<string, string>>;
}

/** The scopes of the sign-in of the pages at the API. */
const SCOPES = ['read', 'write', 'follow'];

/**
 * Signs accounts in to the pages of this server. A session is a sign-in with the server's own app; the cookie holds its
 * token. Tokens of other apps are refused, since their scopes are narrower than what the pages can do.
 */
@Injectable()
export class BrowserSessions {
  /** By sign-ins that are in memory: the token of forms costs 40 µs. */
  private readonly sessions = new WeakMap<Auth, BrowserSession>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly uow: UnitOfWork,
    private readonly apps: AppsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordCheckService,
    private readonly attempts: CredentialAttempts,
    private readonly mfa: MfaService,
    private readonly challenges: MfaChallenges,
    private readonly tokens: TokensService,
    private readonly resets: PasswordResetsService,
  ) {}

  /** The session of a request. */
  async find(request: ApiRequest): Promise<BrowserSession | undefined> {
    const auth = await this.authOf(request);
    return auth && this.ofAuth(auth);
  }

  /**
   * The sender of a request for a page of the signed-in person.
   * @throws Redirect to the sign-in without a session, Forbidden for a form of another site
   */
  async require(request: ApiRequest): Promise<Auth> {
    if (request.method !== 'GET') this.requireOwnForm(request);
    const auth = await this.authOf(request);
    if (auth) return auth;
    const back = request.method === 'GET' ? request.originalUrl : '';
    throw new Redirect(`${SIGN_IN_PATH}?return_to=${encodeURIComponent(back)}`);
  }

  /** The session of a sender that {@link require} returned. */
  ofAuth(auth: Auth): BrowserSession | undefined {
    const { accountId, tokenId, isAdmin } = auth;
    if (accountId === null || tokenId === null) return undefined;
    const session = this.sessions.get(auth) ?? this.session(accountId, tokenId, isAdmin);
    this.sessions.set(auth, session);
    return session;
  }

  /**
   * Signs in with a password, and sets the cookie. An account with a second factor gets a challenge, which keeps what
   * the page goes on with.
   * @throws TooManyRequests after too many wrong passwords
   */
  async signIn(
    { login, password, next }: { readonly login: string; readonly password: string; readonly next: NextStep },
    request: ApiRequest,
    response: Response,
  ): Promise<SignIn> {
    const found = await this.passwords.check(login, password, this.attempts.addressOf(request));
    if (!found) return { kind: 'wrong' };
    const { accountId, state } = found;
    const link = state === 'reset_required' ? await this.resets.linkForGiven(found) : undefined;
    if (link !== undefined) return { kind: 'password-needed', link };
    if (state !== 'ok') return { kind: 'refused', state };
    if (await this.mfa.isEnabled(accountId)) {
      const challenge = await this.challenges.open(found, 'authorization', { ...next });
      return challenge === undefined ? { kind: 'wrong' } : { kind: 'code-needed', challenge };
    }
    const token = await this.uow.run(async () =>
      (await this.users.lockPassword(found)) ? this.issue(accountId) : undefined,
    );
    return token ? { kind: 'signed-in', session: await this.begin(accountId, token, response) } : { kind: 'wrong' };
  }

  /** The sign-in that continues after the code of a challenge; undefined when the challenge has ended. */
  async next(challenge: string): Promise<NextStep | undefined> {
    return (await this.challenges.find(challenge, 'authorization'))?.data;
  }

  /**
   * Signs in with the code that a challenge asks for; undefined when it is wrong or the challenge has ended.
   * @throws TooManyRequests after too many wrong codes
   */
  async signInWithCode(
    { token, type, code }: { readonly token: string; readonly type: ChallengeType; readonly code: string },
    request: ApiRequest,
    response: Response,
  ): Promise<{ readonly session: BrowserSession; readonly next: NextStep } | undefined> {
    const answer = { token, type, code, purpose: 'authorization', address: this.attempts.addressOf(request) } as const;
    const found = await this.challenges.spend(answer, async ({ accountId, data }) => {
      const { state } = await this.users.facts(accountId);
      if (state !== 'ok') throw accountRefused(state);
      return { accountId, next: data, issued: await this.issue(accountId) };
    });
    return found && { session: await this.begin(found.accountId, found.issued, response), next: found.next };
  }

  /** Signs a new account in, and sets the cookie. */
  async startFirst(accountId: string, response: Response): Promise<void> {
    await this.begin(accountId, await this.issue(accountId), response);
  }

  /** Ends the session of a request, if there is one. */
  async end(request: ApiRequest, response: Response): Promise<void> {
    const session = await this.find(request);
    if (session) await this.tokens.signOut(session.accountId, session.tokenId);
    dropSessionCookie(response, this.env.baseUrl);
  }

  /** Refuses a form that another site sent. Throws Forbidden. */
  requireOwnForm(request: ApiRequest): void {
    requireSameOrigin(request, this.env.baseUrl);
  }

  /** Refuses a form that comes from no page of this session. Throws Forbidden. */
  requireForm(request: ApiRequest, { formToken }: BrowserSession, given: string | undefined): void {
    this.requireOwnForm(request);
    if (!sameSecret(given ?? '', formToken)) throw new Forbidden('This form belongs to another session');
  }

  /** The sender with a session; undefined without one. */
  async authOf(request: IncomingMessage): Promise<Auth | undefined> {
    const token = sessionCookieOf(request);
    const auth = token === undefined ? undefined : await this.tokens.resolve(token);
    if (!auth?.accountId || !auth.tokenId || !(await this.apps.isOwn(auth.appId))) return undefined;
    return auth;
  }

  private async issue(accountId: string): Promise<TokenBody> {
    const { id: appId } = await this.apps.own();
    return this.tokens.issue({ appId, accountId, scopes: SCOPES });
  }

  private async begin(accountId: string, token: TokenBody, response: Response): Promise<BrowserSession> {
    setSessionCookie(response, token, this.env.baseUrl);
    const { isAdmin } = await this.users.facts(accountId);
    return this.session(accountId, String(token.id), isAdmin);
  }

  private session(accountId: string, tokenId: string, isAdmin: boolean): BrowserSession {
    const formToken = createHmac('sha256', this.secretKey).update(`form ${tokenId}`).digest('base64url');
    return { accountId, tokenId, isAdmin, formToken };
  }
}
