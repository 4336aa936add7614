import { Injectable } from '@nestjs/common';
import { type Auth, NotFound } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Events, hashToken, isBigintId, newToken, UnitOfWork } from '../../platform/index.js';
import { AppsRepository } from '../apps/apps.repository.js';
import type { ClientCredentials } from '../apps/client-credentials.js';
import { invalidClient } from '../model/oauth.errors.js';
import { TokenRenewed } from '../model/oauth.events.js';
import type { TokenBody } from '../model/token.shape.js';
import { CodesRepository } from './codes.repository.js';
import { ResolvedTokens } from './resolved-tokens.js';
import {
  type IssuedToken,
  type RenewableToken,
  type ResolvedToken,
  type SignInRow,
  type TokenGrant,
  TokensRepository,
} from './tokens.repository.js';

interface TokenPair {
  readonly access: string;
  /** Undefined for an app's own token: the app gets another one with its credentials (RFC 6749 §4.4.3). */
  readonly refresh?: string;
}

/** The longest lifetime of an app's own token. */
const APP_TOKEN_SECONDS = 30 * 86_400;

/** Access tokens and refresh tokens. Only their hashes are stored; the tokens themselves appear once, in the answer. */
@Injectable()
export class TokensService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly apps: AppsRepository,
    private readonly tokens: TokensRepository,
    private readonly resolved: ResolvedTokens,
    private readonly codes: CodesRepository,
    private readonly settings: Settings,
    private readonly events: Events,
  ) {}

  /**
   * The owner of a token; undefined when it is unknown or expired, or when its owner may not use the server. A change
   * of the owner's state takes effect with the next request (threat O10). One statement, or none for a token that is
   * kept.
   */
  async resolve(token: string): Promise<Auth | undefined> {
    const hash = hashToken(token);
    return this.resolved.find(hash, async () => {
      const row = await this.tokens.resolve(hash);
      return row && { auth: authOf(row), expiresAtMs: Date.parse(row.expiresAt) };
    });
  }

  /** The owner of a token whose sign-in is in memory; undefined for any other token. */
  findCached(token: string): Auth | undefined {
    return this.resolved.get(hashToken(token));
  }

  /** {@link resolve} by the `tokenId`, for callers that sealed it before. */
  async resolveId(tokenId: string): Promise<Auth | undefined> {
    const row = await this.tokens.resolveId(tokenId);
    return row && authOf(row);
  }

  /**
   * Filters sign-ins, by the `tokenId` of their {@link Auth}, for valid ones, each with its `tokenIssuedAt` of today: for
   * callers that use a token longer than one request (threat O10). One statement.
   */
  async live(tokenIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.tokens.live(tokenIds)).map(({ id, issuedAt }) => [id, issuedAt]));
  }

  /**
   * A new sign-in of an account with an app, or a new token of the app itself, which replaces earlier ones of the same
   * scopes (threat O26).
   * @throws Unauthorized when the app is gone
   */
  async issue(grant: TokenGrant): Promise<TokenBody> {
    const { appId, accountId, scopes } = grant;
    const pair = accountId === null ? { access: newToken() } : newPair();
    return this.uow.run(async () => {
      if (!(await this.apps.use(appId, accountId !== null))) throw invalidClient();
      if (accountId === null) await this.tokens.supersede(appId, scopes);
      return this.body(await this.tokens.insert(grant, this.hashes(pair)), pair);
    });
  }

  /** The sign-in that a refresh token can renew. */
  async renewable(refreshToken: string): Promise<RenewableToken | undefined> {
    return this.tokens.byRefreshHash(hashToken(refreshToken));
  }

  /** Renews the tokens of a sign-in. Undefined when another request spent the refresh token first. */
  async renew(id: string, refreshToken: string): Promise<TokenBody | undefined> {
    const pair = newPair();
    const row = await this.tokens.rotate(id, hashToken(refreshToken), this.hashes(pair));
    if (!row) return undefined;
    this.events.emit(new TokenRenewed(id, pair.access));
    return this.body(row, pair);
  }

  /**
   * Ends the sign-in of a refresh token that was used before: two parties have it, and the owner is unknown (RFC 9700
   * §4.14). Ignores unknown tokens.
   */
  async endReused(refreshToken: string): Promise<void> {
    await this.tokens.deleteFamilyOf(hashToken(refreshToken));
  }

  /** The scopes of each valid sign-in of an account with an app. */
  async scopesOf(appId: string, accountId: string): Promise<readonly (readonly string[])[]> {
    return this.tokens.scopesOf(appId, accountId);
  }

  /** The account's sign-ins that can be used or renewed, the newest first. */
  signInsOf(accountId: string): Promise<SignInRow[]> {
    return this.tokens.ofAccount(accountId);
  }

  /** {@link TokensRepository.lock} */
  lock(id: string): Promise<boolean> {
    return this.tokens.lock(id);
  }

  /** {@link signOut} by an id that a client sent. Throws NotFound when the account has no such sign-in. */
  async endOf(accountId: string, id: string): Promise<void> {
    if (!isBigintId(id) || !(await this.signOut(accountId, id))) throw new NotFound();
  }

  /**
   * Ends a sign-in of the account, and the codes that apps have not used yet: it may have allowed them (threat O10). False
   * when there is none with this id.
   */
  signOut(accountId: string, id: string): Promise<boolean> {
    return this.uow.run(async () => {
      const isEnded = await this.tokens.deleteOf(accountId, id);
      if (isEnded) await this.codes.deleteUnspentOf(accountId); // after the sign-in: it may be allowing one at this moment
      return isEnded;
    });
  }

  /** Ends every sign-in of an account but one (null keeps none), and the codes that apps got for it. */
  async endOthers(accountId: string, keptId: string | null): Promise<void> {
    await this.codes.deleteAllOf(accountId);
    await this.tokens.deleteOthersOf(accountId, keptId);
  }

  /** Ends one sign-in of an app. */
  async end(id: string): Promise<void> {
    await this.tokens.deleteById(id);
  }

  /** Ends every sign-in of an account, those too that an app has only got a code for. */
  async endAll(accountId: string): Promise<void> {
    await this.codes.deleteAllOf(accountId);
    await this.tokens.deleteAllOf(accountId);
  }

  /** Ends a sign-in by either of its tokens (RFC 7009). Given client data must match its app (threat O11). */
  async revoke(token: string, client: ClientCredentials | undefined): Promise<void> {
    await this.tokens.delete({
      hash: hashToken(token),
      clientId: client?.id ?? null,
      clientSecret: client?.secret || null,
    });
  }

  /** Removes tokens that can be neither used nor renewed. */
  async purge(): Promise<void> {
    await this.tokens.purge();
  }

  private hashes(pair: TokenPair) {
    const { access, refresh } = pair;
    return {
      access: hashToken(access),
      refresh: refresh === undefined ? null : hashToken(refresh),
      expiresInSeconds: this.lifetime(pair),
    };
  }

  private body({ id, scopes, createdAt, apId }: IssuedToken, pair: TokenPair): TokenBody {
    const { access, refresh } = pair;
    return {
      id: Number(id),
      token_type: 'Bearer',
      access_token: access,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      expires_in: this.lifetime(pair),
      scope: scopes.join(' '),
      created_at: Math.floor(Date.parse(createdAt) / 1000),
      ...(apId === null ? {} : { me: apId }),
    };
  }

  private lifetime({ refresh }: TokenPair): number {
    const seconds = this.settings.get('oauth.token_expires_in');
    return refresh === undefined ? Math.min(seconds, APP_TOKEN_SECONDS) : seconds;
  }
}

function authOf(row: ResolvedToken): Auth {
  return {
    tokenId: row.id,
    tokenIssuedAt: row.issuedAt,
    appId: row.appId,
    appName: row.appName,
    scopes: row.scopes,
    accountId: row.accountId,
    isAdmin: row.isAdmin,
    isModerator: row.isModerator,
  };
}

function newPair(): Required<TokenPair> {
  return { access: newToken(), refresh: newToken() };
}
