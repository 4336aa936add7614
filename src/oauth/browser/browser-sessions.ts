import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type LoginState, UsersService } from '../../accounts/index.js';
import { type ApiRequest, Forbidden } from '../../common/index.js';
import { ENV, type Env, sameSecret, SECRET_KEY, UnitOfWork } from '../../platform/index.js';
import { AppsService } from '../apps/apps.service.js';
import { PasswordCheckService } from '../guessing/password-check.service.js';
import { CredentialAttempts } from '../model/credential-attempts.js';
import { TokensService } from '../tokens/tokens.service.js';
import { requireSameOrigin } from './same-origin.js';
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
  | { readonly kind: 'signed-in'; readonly session: BrowserSession };

/** What the pages' own sign-in may do through the API. */
const SCOPES = ['read', 'write', 'follow'];

/**
 * Signs accounts in to the pages of this server. A session is a sign-in with the server's own app; the cookie holds its
 * token. Tokens of other apps are refused, since their scopes are narrower than what the pages can do.
 */
@Injectable()
export class BrowserSessions {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly uow: UnitOfWork,
    private readonly apps: AppsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordCheckService,
    private readonly attempts: CredentialAttempts,
    private readonly tokens: TokensService,
  ) {}

  /** The session of a request. */
  async find(request: ApiRequest): Promise<BrowserSession | undefined> {
    const token = sessionCookieOf(request);
    const auth = token === undefined ? undefined : await this.tokens.resolve(token);
    if (!auth?.accountId || !auth.tokenId || auth.appId !== (await this.apps.own()).id) return undefined;
    return this.session(auth.accountId, auth.tokenId, auth.isAdmin);
  }

  /**
   * Signs in with a password, and sets the cookie.
   * @throws TooManyRequests after too many wrong passwords
   */
  async signIn(login: string, password: string, request: ApiRequest, response: Response): Promise<SignIn> {
    const found = await this.passwords.check(login, password, this.attempts.addressOf(request));
    if (!found) return { kind: 'wrong' };
    const { accountId, state } = found;
    if (state !== 'ok') return { kind: 'refused', state };
    const isKept = () => this.users.keepPassword(found);
    const session = await this.start(accountId, response, isKept);
    return session ? { kind: 'signed-in', session } : { kind: 'wrong' };
  }

  /** Signs a new account in, and sets the cookie. */
  async startFirst(accountId: string, response: Response): Promise<void> {
    await this.start(accountId, response, () => Promise.resolve(true));
  }

  /** Ends the session of a request, if there is one. */
  async end(request: ApiRequest, response: Response): Promise<void> {
    const session = await this.find(request);
    if (session) await this.tokens.end(session.tokenId);
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

  private async start(
    accountId: string,
    response: Response,
    isAllowed: () => Promise<boolean>,
  ): Promise<BrowserSession | undefined> {
    const { id: appId } = await this.apps.own();
    const { isAdmin } = await this.users.facts(accountId);
    const token = await this.uow.run(async () =>
      (await isAllowed()) ? this.tokens.issue({ appId, accountId, scopes: SCOPES }) : undefined,
    );
    if (!token) return undefined;
    setSessionCookie(response, token, this.env.baseUrl);
    return this.session(accountId, String(token.id), isAdmin);
  }

  private session(accountId: string, tokenId: string, isAdmin: boolean): BrowserSession {
    const formToken = createHmac('sha256', this.secretKey).update(`form ${tokenId}`).digest('base64url');
    return { accountId, tokenId, isAdmin, formToken };
  }
}
