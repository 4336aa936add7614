import { Inject, Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { ENV, type Env } from '../../platform/index.js';
import {
  type AppRow,
  AppsService,
  CodesService,
  grantedScopes,
  holds,
  OUT_OF_BAND,
  parseScopes,
  TokensService,
} from '../../oauth/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import { StaffRights } from '../guards/staff-rights.js';

/** The parameters that an app sends a browser with (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationParameters {
  readonly client_id?: string;
  readonly redirect_uri?: string;
  readonly scope?: string | readonly string[];
  readonly state?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
}

/** A checked request of an app. */
export interface Authorization {
  readonly app: AppRow;
  readonly redirectUri: string;
  /** Includes those of administration, for every account. */
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  /** The S256 challenge. */
  readonly challenge: string | null;
}

/** Why a request of an app cannot be allowed. */
export type Problem = 'app' | 'redirect' | 'response-type' | 'challenge' | 'scopes';

/** The result of a granted request: the address to send the browser to, or a code that the page shows. */
export type Granted = { readonly location: string } | { readonly code: string };

const CHALLENGE = /^[\w-]{43}$/;

/**
 * Checks what apps ask for, and gives them codes. A wrong request never sends the browser anywhere, not even to a
 * registered address: registering an app needs no account (RFC 9700 §4.11.2).
 */
@Injectable()
export class AuthorizationsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly apps: AppsService,
    private readonly users: UsersService,
    private readonly rights: StaffRights,
    private readonly codes: CodesService,
    private readonly tokens: TokensService,
  ) {}

  /** Without a scope, the app asks for all it registered. */
  async read(parameters: AuthorizationParameters): Promise<Authorization | Problem> {
    const { client_id: clientId, redirect_uri: redirectUri, state, scope = [] } = parameters;
    const app = clientId === undefined ? undefined : await this.apps.byClientId(clientId);
    if (!app) return 'app';
    if (redirectUri === undefined || !app.redirectUris.includes(redirectUri)) return 'redirect';
    const challenge = challengeOf(parameters);
    if (challenge === undefined) return 'challenge';
    const scopes = grantedScopes(parseScopes(scope), app.scopes, true);
    return scopes ? { app, redirectUri, scopes, state, challenge } : 'scopes';
  }

  /**
   * Whether the account may be sent back without being asked: it signed in with this app before for the scopes that it
   * would grant now, and the address belongs to a site (threat O19). Other programs can claim the schemes of apps (RFC 8252 §8.6).
   */
  async isAllowedAlready(accountId: string, authorization: Authorization): Promise<boolean> {
    if (!authorization.redirectUri.startsWith('https:')) return false;
    const scopes = await this.scopesFor(accountId, authorization);
    if (!scopes) return false;
    const signIns = await this.tokens.scopesOf(authorization.app.id, accountId);
    return signIns.some((granted) => scopes.every((scope) => holds(granted, scope)));
  }

  /** Gives the app a code, unless none of the scopes is for this account, or the session has ended meanwhile. */
  async allow(
    { accountId, tokenId }: Pick<BrowserSession, 'accountId' | 'tokenId'>,
    authorization: Authorization,
  ): Promise<Granted | 'scopes' | 'signed-out'> {
    const { app, redirectUri, challenge } = authorization;
    const scopes = await this.scopesFor(accountId, authorization);
    if (!scopes) return 'scopes';
    const grant = { appId: app.id, accountId, redirectUri, scopes: [...scopes], challenge };
    const code = await this.codes.issue(tokenId, grant);
    if (code === undefined) return 'signed-out';
    return redirectUri === OUT_OF_BAND ? { code } : { location: this.answer(authorization, { code }) };
  }

  /** The address that reports the refusal to the app; undefined without one. */
  denied(authorization: Authorization): string | undefined {
    if (authorization.redirectUri === OUT_OF_BAND) return undefined;
    return this.answer(authorization, { error: 'access_denied' });
  }

  /** The requested scopes that the account can grant; undefined without any. */
  private async scopesFor(accountId: string, { app, scopes }: Authorization): Promise<readonly string[] | undefined> {
    return grantedScopes(scopes, app.scopes, this.rights.mayAdminister(await this.users.facts(accountId)));
  }

  /** The redirect URI with the answer added to its query. `iss` names this server (RFC 9207). */
  private answer({ redirectUri, state }: Authorization, answer: Record<string, string>): string {
    const parameters = { ...answer, ...(state === undefined ? {} : { state }), iss: this.env.baseUrl };
    return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`;
  }
}

/** The challenge; null without one, undefined for one that is not S256 (threat O5). */
function challengeOf({ code_challenge: challenge, code_challenge_method: method }: AuthorizationParameters) {
  if (challenge === undefined) return method === undefined || method === 'S256' ? null : undefined;
  return method === 'S256' && CHALLENGE.test(challenge) ? challenge : undefined;
}
