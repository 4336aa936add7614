import { Injectable } from '@nestjs/common';
import type { Auth } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Events, hashToken, newToken, UnitOfWork } from '../../platform/index.js';
import { AppsRepository } from '../apps/apps.repository.js';
import type { ClientCredentials } from '../apps/client-credentials.js';
import { invalidClient } from '../model/oauth.errors.js';
import { TokenRenewed } from '../model/oauth.events.js';
import type { TokenBody } from '../model/token.shape.js';
import { type IssuedToken, type RenewableToken, type TokenGrant, TokensRepository } from './tokens.repository.js';

interface TokenPair {
  readonly access: string;
  /** Undefined for an app's own token: it has credentials to get another one with (RFC 6749 §4.4.3). */
  readonly refresh?: string;
}

/** The longest that an app's own token is valid. */
const APP_TOKEN_SECONDS = 30 * 86_400;

/** Access tokens and refresh tokens. Only their hashes are kept, so each is seen once, in the answer that brings it. */
@Injectable()
export class TokensService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly apps: AppsRepository,
    private readonly tokens: TokensRepository,
    private readonly settings: Settings,
    private readonly events: Events,
  ) {}

  /**
   * Who a token stands for; undefined for one that is unknown or expired, or whose owner may not use the server: a change
   * of the owner's state holds from the next request on (threat O10). One statement.
   */
  async resolve(token: string): Promise<Auth | undefined> {
    const row = await this.tokens.resolve(hashToken(token));
    return (
      row && {
        tokenId: row.id,
        appId: row.app_id,
        scopes: row.scopes,
        accountId: row.account_id,
        isAdmin: row.is_admin,
        isModerator: row.is_moderator,
      }
    );
  }

  /**
   * Which of the tokens, by the `tokenId` of their {@link Auth}, still stand for somebody: for those who rely on a token
   * longer than one request (threat O10). One statement.
   */
  async live(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.tokens.live(tokenIds));
  }

  /**
   * A new sign-in of an account with an app, or a new token of the app itself, which takes the place of earlier ones of the
   * same scopes (threat O26).
   * @throws Invalid when the app is gone
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

  /** Changes the tokens of a sign-in. Undefined when somebody else was faster: the refresh token is spent then. */
  async renew(id: string, refreshToken: string): Promise<TokenBody | undefined> {
    const pair = newPair();
    const row = await this.tokens.rotate(id, hashToken(refreshToken), this.hashes(pair));
    if (!row) return undefined;
    this.events.emit(new TokenRenewed(id, pair.access));
    return this.body(row, pair);
  }

  /**
   * Ends the sign-in of a refresh token that was used before: it is in two hands, and nobody can tell which is its
   * owner's (RFC 9700 §4.14). Does nothing for one that was never ours.
   */
  async endReused(refreshToken: string): Promise<void> {
    await this.tokens.deleteFamilyOf(hashToken(refreshToken));
  }

  /** Ends every sign-in of an account. */
  async endAll(accountId: string): Promise<void> {
    await this.tokens.deleteAllOf(accountId);
  }

  /** Ends a sign-in by either of its tokens (RFC 7009). Client data, where given, must be that of its app (threat O11). */
  async revoke(token: string, client: ClientCredentials | undefined): Promise<void> {
    await this.tokens.delete({
      hash: hashToken(token),
      clientId: client?.id ?? null,
      clientSecret: client?.secret || null,
    });
  }

  /** Forgets tokens that are of no use to anybody. */
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

  private body({ id, scopes, created_at, ap_id }: IssuedToken, pair: TokenPair): TokenBody {
    const { access, refresh } = pair;
    return {
      id: Number(id),
      token_type: 'Bearer',
      access_token: access,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      expires_in: this.lifetime(pair),
      scope: scopes.join(' '),
      created_at: Math.floor(Date.parse(created_at) / 1000),
      ...(ap_id === null ? {} : { me: ap_id }),
    };
  }

  private lifetime({ refresh }: TokenPair): number {
    const seconds = this.settings.get('oauth.token_expires_in');
    return refresh === undefined ? Math.min(seconds, APP_TOKEN_SECONDS) : seconds;
  }
}

function newPair(): Required<TokenPair> {
  return { access: newToken(), refresh: newToken() };
}
