import { Injectable } from '@nestjs/common';
import { type LoginResult, UsersService } from '../../accounts/index.js';
import { Forbidden, ignoreNotFound, Invalid } from '../../common/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { AppTokensService } from './app-tokens.service.js';
import {
  accountRefused,
  type AppRow,
  AppsService,
  type ClientCredentials,
  CodesService,
  grantedScopes,
  holds,
  invalidClient,
  invalidGrant,
  invalidRequest,
  invalidScope,
  knownScopes,
  parseScopes,
  type TokenBody,
  TokensService,
  unsupportedGrant,
} from '../../oauth/index.js';
import { type Challenge, MfaChallenges, MfaService, PasswordCheckService } from '../../sign-in/index.js';
import { StaffRights } from '../guards/staff-rights.js';

/** The password was right, and the sign-in goes on with a code. */
const mfaRequired = (token: string) =>
  new Forbidden('mfa_required', { details: { mfa_token: token, supported_challenge_types: ['totp'] } });

/** The code, its challenge or the app is wrong. */
const invalidCode = () => new Invalid('Invalid code');

/** A request for a token (RFC 6749 §4.1.3, §4.3, §4.4, §6). */
export interface GrantRequest {
  readonly grantType: string | undefined;
  readonly client: ClientCredentials | undefined;
  /** Nickname or e-mail address. */
  readonly login: string | undefined;
  readonly password: string | undefined;
  readonly refreshToken: string | undefined;
  readonly scope: string | undefined;
  readonly code: string | undefined;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
  /** The origin that wrong passwords count for. */
  readonly address: string;
  /** The origin for everything but passwords: a local proxy is believed, unless the operator names another one. */
  readonly caller: string;
}

/** A code for a sign-in that waits for it. */
export interface CodeRequest {
  readonly client: ClientCredentials | undefined;
  /** The token of the challenge. */
  readonly token: string | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
  /** The origin that wrong codes count for. */
  readonly address: string;
}

const CHALLENGE_TYPES = ['totp', 'recovery'] as const;

/** The grant types of {@link GrantsService}. */
export const GRANT_TYPES = ['authorization_code', 'password', 'client_credentials', 'refresh_token'] as const;

/** Issues tokens for credentials. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly apps: AppsService,
    private readonly tokens: TokensService,
    private readonly codes: CodesService,
    private readonly appTokens: AppTokensService,
    private readonly users: UsersService,
    private readonly rights: StaffRights,
    private readonly passwords: PasswordCheckService,
    private readonly mfa: MfaService,
    private readonly challenges: MfaChallenges,
  ) {}

  /** @throws Invalid and Unauthorized with the codes of `oauth.errors.ts`, Forbidden for the state of the account, TooManyRequests */
  async grant(request: GrantRequest): Promise<TokenBody> {
    if (!request.grantType) throw invalidRequest('grant_type is missing');
    const grantType = GRANT_TYPES.find((known) => known === request.grantType);
    if (!grantType) throw unsupportedGrant();
    const app = request.client && (await this.apps.authenticate(request.client));
    if (!app) throw invalidClient();
    switch (grantType) {
      case 'authorization_code':
        return this.byCode(app, request);
      case 'password':
        return this.byPassword(app, request);
      case 'client_credentials':
        return this.appTokens.issue(app, scopesFor(app, request, false), request.caller);
      case 'refresh_token':
        return this.byRefreshToken(app, request);
    }
  }

  private byCode(app: AppRow, { code, redirectUri, codeVerifier: verifier }: GrantRequest): Promise<TokenBody> {
    if (!code) throw invalidRequest('code is missing');
    return this.codes.exchange({ appId: app.id, code, redirectUri, verifier });
  }

  /**
   * The token for a password that needed a code too.
   * @throws Invalid `Invalid code`, Forbidden for the state of the account, TooManyRequests
   */
  async grantForCode({ client, token, type: given, code, address }: CodeRequest): Promise<TokenBody> {
    const app = client && (await this.apps.authenticate(client));
    const type = CHALLENGE_TYPES.find((known) => known === given);
    if (!app || !token || !type || !code) throw invalidCode();
    const answer = { token, purpose: 'token', type, code, address } as const;
    const body = await this.challenges.spend(answer, (challenge) => this.afterCode(app, challenge));
    if (!body) throw invalidCode();
    return body;
  }

  private async afterCode(app: AppRow, { accountId, data }: Challenge<'token'>): Promise<TokenBody> {
    const facts = await this.users.facts(accountId).catch(ignoreNotFound);
    if (!facts || data.appId !== app.id) throw invalidCode();
    if (facts.state !== 'ok') throw accountRefused(facts.state);
    return this.tokens.issue({ appId: app.id, accountId, scopes: data.scopes });
  }

  private async byPassword(app: AppRow, request: GrantRequest): Promise<TokenBody> {
    const login = await this.signIn(request);
    const { accountId, state } = login;
    if (state !== 'ok') throw accountRefused(state);
    const mayAdminister = this.rights.mayAdminister(await this.users.facts(accountId));
    const scopes = scopesFor(app, request, mayAdminister);
    if (await this.mfa.isEnabled(accountId)) throw await this.challenge(login, app, scopes);
    return this.uow.run(async () => {
      if (!(await this.users.lockPassword(login))) throw invalidGrant();
      return this.tokens.issue({ appId: app.id, accountId, scopes });
    });
  }

  private async challenge(login: LoginResult, app: AppRow, scopes: readonly string[]) {
    const token = await this.challenges.open(login, 'token', { appId: app.id, scopes });
    return token === undefined ? invalidGrant() : mfaRequired(token);
  }

  private async signIn({ login, password, address }: GrantRequest) {
    if (!login || !password) throw invalidRequest('username or password is missing');
    const found = await this.passwords.check(login, password, address);
    if (!found) throw invalidGrant();
    return found;
  }

  /**
   * The new token has the scopes of the old one. A request for more is refused and does not spend the refresh token.
   */
  private async byRefreshToken(app: AppRow, { refreshToken, scope }: GrantRequest): Promise<TokenBody> {
    if (!refreshToken) throw invalidRequest('refresh_token is missing');
    const token = await this.tokens.renewable(refreshToken);
    if (!token) return this.refuseReused(refreshToken);
    if (token.appId !== app.id) throw invalidGrant();
    if (!knownScopes(parseScopes(scope ?? '')).every((wanted) => holds(token.scopes, wanted))) throw invalidScope();
    if (token.state !== 'ok') throw accountRefused(token.state);
    return (await this.tokens.renew(token.id, refreshToken)) ?? this.refuseReused(refreshToken);
  }

  private async refuseReused(refreshToken: string): Promise<never> {
    await this.tokens.endReused(refreshToken);
    throw invalidGrant();
  }
}

function scopesFor(app: AppRow, { scope }: GrantRequest, mayAdminister: boolean): readonly string[] {
  const scopes = grantedScopes(parseScopes(scope ?? ''), app.scopes, mayAdminister);
  if (!scopes) throw invalidScope();
  return scopes;
}
