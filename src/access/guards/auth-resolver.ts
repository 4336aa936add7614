import { Inject, Injectable } from '@nestjs/common';
import { Passport } from 'passport';
import { Strategy } from 'passport-http-bearer';
import { UsersService } from '../../accounts/index.js';
import { type ApiRequest, type Auth, Forbidden, textProblem } from '../../common/index.js';
import { ENV, type Env, sameSecret } from '../../platform/index.js';
import { basicPair, TokensService } from '../../oauth/index.js';
import {
  CredentialAttempts,
  mayUseCookie,
  MfaService,
  PasswordCheckService,
  sessionCookieOf,
} from '../../sign-in/index.js';
import { StaffRights } from './staff-rights.js';

/** The result of checking a request's credentials. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'accepted';
      readonly auth: Auth;
      /** Undefined for a password. */
      readonly token: string | undefined;
    };

type Authenticate = (request: ApiRequest, response: unknown, next: (error: unknown) => void) => void;

const BEARER = /^Bearer ([^ ]+)$/i;

const NONE: Credentials = { kind: 'none' };
const REFUSED: Credentials = { kind: 'refused' };

/** The rights of the admin token: all of administration, without an account (spec §5.3). */
const OPERATOR: Auth = {
  tokenId: null,
  appId: null,
  scopes: ['admin'],
  accountId: null,
  isAdmin: true,
  isModerator: false,
};

/** The scopes of a password: all; those of administration work for administrators only. */
const ALL = ['read', 'write', 'follow', 'push', 'profile'];

const SECOND_FACTOR = 'Two-factor authentication enabled, you must use a access token.';

/** Finds the sender of a request. */
@Injectable()
export class AuthResolver {
  private readonly passport = new Passport().use(
    new Strategy((token: unknown, done) => {
      this.ofToken(token).then((credentials) => done(null, credentials), done);
    }),
  );

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
    private readonly rights: StaffRights,
    private readonly passwords: PasswordCheckService,
    private readonly attempts: CredentialAttempts,
    private readonly mfa: MfaService,
  ) {}

  /**
   * Takes the first of these (spec §5.1): a token of the `Authorization` header or the parameter `access_token`, the
   * cookie, a password by HTTP Basic.
   * @throws TooManyRequests after too many wrong passwords, Forbidden for a password where a second factor is needed
   */
  async resolve(request: ApiRequest): Promise<Credentials> {
    const bearer = this.ofMemory(request) ?? (await this.ofBearer(request));
    if (bearer.kind !== 'none') return bearer;
    const cookie = await this.ofCookie(request);
    return cookie.kind === 'accepted' ? cookie : this.ofPassword(request);
  }

  /** What {@link resolve} finds, where that needs no statement, as for most requests; undefined for the others. */
  resolveInMemory(request: ApiRequest): Credentials | undefined {
    const bearer = this.ofMemory(request);
    return bearer?.kind === 'none' && sessionCookieOf(request) !== undefined ? undefined : bearer;
  }

  /** Most requests: no token, or a sign-in in memory, needs neither a statement nor a strategy (docs/adr/0027). */
  private ofMemory({ headers: { authorization }, query, body }: ApiRequest): Credentials | undefined {
    if (authorization === undefined) return query.access_token || body?.access_token ? undefined : NONE;
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined || query.access_token || body?.access_token) return undefined;
    const auth = this.tokens.findCached(token);
    return auth && { kind: 'accepted', auth, token };
  }

  /** Refuses a token that is sent both in the header and in the query (RFC 6750). */
  private ofBearer(request: ApiRequest): Promise<Credentials> {
    return new Promise((resolve, reject) => {
      /** @param status set when the credentials are unreadable, undefined when there are none */
      const answered = (error: Error | null, found: unknown, _challenge: unknown, status: unknown) => {
        if (error) reject(error);
        else if (found) resolve(found as Credentials);
        else resolve(status === undefined ? NONE : REFUSED);
      };
      const authenticate = this.passport.authenticate('bearer', { session: false }, answered) as Authenticate;
      authenticate(request, request.res, reject);
    });
  }

  /**
   * Reads the admin token from `x-admin-token` or the parameter `admin_token`. While none is configured every one is refused, the empty one too (threat A2).
   */
  resolveOperator(request: ApiRequest): Credentials {
    const given = operatorTokenOf(request);
    if (given === undefined) return NONE;
    const expected = this.env.adminToken;
    return expected && sameSecret(given, expected) ? { kind: 'accepted', auth: OPERATOR, token: given } : REFUSED;
  }

  /** A cookie that is old or that another site sent counts as none: browsers send it with every request. */
  private async ofCookie(request: ApiRequest): Promise<Credentials> {
    const token = sessionCookieOf(request);
    if (token === undefined || !mayUseCookie(request, this.env.baseUrl)) return NONE;
    return this.ofToken(token);
  }

  /** Refuses accounts with a second factor, which a password alone must not go around (threat O15). */
  private async ofPassword(request: ApiRequest): Promise<Credentials> {
    const pair = basicPair(request.headers.authorization);
    if (!pair) return NONE;
    const [login, password] = pair;
    if (login === '' || password === '' || pair.some(textProblem)) return REFUSED;
    const found = await this.passwords.check(login, password, this.attempts.addressOf(request));
    if (found?.state !== 'ok') return REFUSED;
    if (await this.mfa.isEnabled(found.accountId)) throw new Forbidden(SECOND_FACTOR);
    const { isAdmin, isModerator } = await this.users.facts(found.accountId);
    const scopes = this.rights.mayAdminister({ isAdmin, isModerator }) ? [...ALL, 'admin'] : ALL;
    const auth = { tokenId: null, appId: null, scopes, accountId: found.accountId, isAdmin, isModerator };
    return { kind: 'accepted', auth, token: undefined };
  }

  private async ofToken(token: unknown): Promise<Credentials> {
    if (typeof token !== 'string') return REFUSED;
    const auth = await this.tokens.resolve(token);
    return auth ? { kind: 'accepted', auth, token } : REFUSED;
  }
}

/** The admin token that a request carries, right or wrong. */
function operatorTokenOf({ headers, query, body }: ApiRequest): string | undefined {
  const given = headers['x-admin-token'] ?? query.admin_token ?? body?.admin_token;
  if (given === undefined) return undefined;
  return typeof given === 'string' ? given : '';
}
