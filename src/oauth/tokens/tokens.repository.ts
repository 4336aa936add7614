import { Injectable } from '@nestjs/common';
import { Not, Raw } from 'typeorm';
import type { LoginResult } from '../../accounts/index.js';
import { MAX_UNPAGED } from '../../common/index.js';
import { Database, purge, sql, UnitOfWork } from '../../platform/index.js';
import { OauthToken } from '../model/oauth.entities.js';
import { IS_LIVE, IS_OPEN, isRenewable, isUnexpiredToken, OWNER_STATE, REFRESH_DAYS } from '../model/token.sql.js';

/** A valid token with its owner's data for the guards. */
export interface ResolvedToken {
  readonly id: string;
  readonly appId: string;
  readonly appName: string;
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** The stored columns of a token pair. */
export interface TokenHashes {
  readonly access: Buffer;
  /** Null for an app's own token. */
  readonly refresh: Buffer | null;
  readonly expiresInSeconds: number;
}

/** The app and the account of a token pair. */
export interface TokenGrant {
  readonly appId: string;
  /** Null for an app's own token. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
}

export interface IssuedToken {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** The ActivityPub id of the owner. */
  readonly apId: string | null;
}

/** A sign-in, as its owner sees it. */
export interface SignInRow {
  readonly id: string;
  readonly appName: string;
  readonly website: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A sign-in for renewal. */
export interface RenewableToken {
  readonly id: string;
  readonly appId: string;
  readonly scopes: readonly string[];
  /** The roles of the owner. */
  readonly state: LoginResult['state'];
}

/** The data that revokes a token; without client data, the token is enough. */
export interface Revocation {
  readonly hash: Buffer;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
}

const resolving = (
  condition: string,
) => `select t.id, t.app_id as "appId", app.name as "appName", t.account_id as "accountId", t.scopes,
  t.created_at as "issuedAt", t.expires_at as "expiresAt",
     coalesce(u.is_admin, false) as "isAdmin", coalesce(u.is_moderator, false) as "isModerator"
   from oauth_tokens t
   join oauth_apps app on app.id = t.app_id
   left join accounts a on a.id = t.account_id
   left join users u on u.account_id = t.account_id
   where ${condition} and ${IS_LIVE}`;

// Runs with every request that carries a token.
const resolve = sql<ResolvedToken>('oauth.resolve', resolving('t.token_hash = $1'));

const resolveId = sql<ResolvedToken>('oauth.resolve-id', resolving('t.id = $1'));

// Runs every few seconds while live streams are open.
const live = sql<{ id: string; issuedAt: string }>(
  'oauth.live',
  `select t.id, t.created_at as "issuedAt" from oauth_tokens t
   left join accounts a on a.id = t.account_id
   left join users u on u.account_id = t.account_id
   where t.id = any($1::bigint[]) and ${IS_LIVE}`,
);

const lock = sql(
  'oauth.lock',
  `select from oauth_tokens t left join accounts a on a.id = t.account_id left join users u on u.account_id = t.account_id
   where t.id = $1 and ${IS_LIVE} for share of t`,
);

/** How long an app's own token stays valid after the app got another one of the same scopes. */
const SUPERSEDED = `interval '1 hour'`;

const insert = sql<IssuedToken>(
  'oauth.insert_token',
  `with issued as (
     insert into oauth_tokens (app_id, account_id, scopes, token_hash, refresh_hash, expires_at)
     values ($1, $2, $3::text[], $4, $5, now() + $6 * interval '1 second')
     returning id, account_id, scopes, created_at)
   select i.id, i.scopes, i.created_at as "createdAt", a.ap_id as "apId" from issued i left join accounts a on a.id = i.account_id`,
);

const supersede = sql(
  'oauth.supersede',
  `update oauth_tokens set expires_at = now() + ${SUPERSEDED}
   where app_id = $1 and account_id is null and scopes @> $2::text[] and scopes <@ $2::text[]
     and expires_at > now() + ${SUPERSEDED}`,
);

const byRefreshHash = sql<RenewableToken>(
  'oauth.renewable',
  `select t.id, t.app_id as "appId", t.scopes, ${OWNER_STATE} as state
   from oauth_tokens t join accounts a on a.id = t.account_id join users u on u.account_id = t.account_id
   where t.refresh_hash = $1 and ${isRenewable('t.expires_at')}`,
);

const rotate = sql<IssuedToken>(
  'oauth.rotate',
  `with renewed as (
     update oauth_tokens set token_hash = $3, refresh_hash = $4, created_at = now(),
       expires_at = now() + $5 * interval '1 second'
     where id = $1 and refresh_hash = $2
     returning id, account_id, scopes, created_at),
   spent as (insert into oauth_spent_refresh_tokens (refresh_hash, token_id) select $2, id from renewed)
   select r.id, r.scopes, r.created_at as "createdAt", a.ap_id as "apId" from renewed r left join accounts a on a.id = r.account_id`,
);

const deleteFamilyOf = sql(
  'oauth.delete_family',
  `delete from oauth_tokens where id = (select token_id from oauth_spent_refresh_tokens where refresh_hash = $1)`,
);

const ofAccount = sql<SignInRow>(
  'oauth.sign_ins',
  `select t.id, app.name as "appName", app.website, t.created_at as "createdAt", t.expires_at as "expiresAt"
   from oauth_tokens t join oauth_apps app on app.id = t.app_id
   where t.account_id = $1 and ${IS_OPEN} order by t.id desc limit ${MAX_UNPAGED}`,
);

const deleteByHash = sql(
  'oauth.revoke',
  `delete from oauth_tokens t using oauth_apps app
   where (t.token_hash = $1 or t.refresh_hash = $1) and app.id = t.app_id
     and ($2::text is null or app.client_id = $2) and ($3::text is null or app.client_secret = $3)`,
);

/** All SQL on `oauth_tokens` and `oauth_spent_refresh_tokens`. */
@Injectable()
export class TokensRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async resolve(hash: Buffer): Promise<ResolvedToken | undefined> {
    return this.db.first(resolve, [hash]);
  }

  async resolveId(id: string): Promise<ResolvedToken | undefined> {
    return this.db.first(resolveId, [id]);
  }

  /** The tokens of some ids that {@link resolve} would find, with the time of their last renewal. */
  live(ids: readonly string[]): Promise<Pick<ResolvedToken, 'id' | 'issuedAt'>[]> {
    return this.db.rows(live, [ids]);
  }

  /** Locks a sign-in against its end until the open unit ends; false when it has ended. */
  async lock(id: string): Promise<boolean> {
    return (await this.db.run(lock, [id])) === 1;
  }

  async insert({ appId, accountId, scopes }: TokenGrant, hashes: TokenHashes): Promise<IssuedToken> {
    const values = [appId, accountId, scopes, hashes.access, hashes.refresh, hashes.expiresInSeconds];
    const row = await this.db.first(insert, values);
    if (!row) throw new Error('The token was not stored');
    return row;
  }

  /** Shortens the life of the app's own tokens with exactly these scopes. Index: oauth_tokens_of_apps. */
  async supersede(appId: string, scopes: readonly string[]): Promise<void> {
    await this.db.run(supersede, [appId, scopes]);
  }

  /** The sign-in that a refresh token can renew. Apps' own tokens cannot be renewed. */
  byRefreshHash(hash: Buffer): Promise<RenewableToken | undefined> {
    return this.db.first(byRefreshHash, [hash]);
  }

  /**
   * Replaces the tokens and stores the spent refresh token, in one statement. Of several concurrent callers one
   * succeeds; the others get undefined.
   */
  rotate(id: string, spent: Buffer, hashes: TokenHashes): Promise<IssuedToken | undefined> {
    return this.db.first(rotate, [id, spent, hashes.access, hashes.refresh, hashes.expiresInSeconds]);
  }

  /** Ends the sign-in of a spent refresh token. */
  async deleteFamilyOf(spent: Buffer): Promise<void> {
    await this.db.run(deleteFamilyOf, [spent]);
  }

  /** The scopes of the newest sign-ins. Index: oauth_tokens_account. */
  async scopesOf(appId: string, accountId: string): Promise<string[][]> {
    const where = { appId, accountId, expiresAt: Raw(isUnexpiredToken) };
    const newest = { order: { id: 'DESC' }, take: MAX_UNPAGED } as const;
    const tokens = await this.uow.manager.find(OauthToken, { select: { scopes: true }, where, ...newest });
    return tokens.map(({ scopes }) => scopes);
  }

  /** The account's sign-ins that can be used or renewed, the newest first. Index: oauth_tokens_account. */
  ofAccount(accountId: string): Promise<SignInRow[]> {
    return this.db.rows(ofAccount, [accountId]);
  }

  /** Ends a sign-in of the account; false when it has none with this id. */
  async deleteOf(accountId: string, id: string): Promise<boolean> {
    return (await this.uow.manager.delete(OauthToken, { id, accountId })).affected === 1;
  }

  /** Ends every sign-in of an account but one; null keeps none. */
  async deleteOthersOf(accountId: string, keptId: string | null): Promise<void> {
    const others = keptId === null ? { accountId } : { accountId, id: Not(keptId) };
    await this.uow.manager.delete(OauthToken, others);
  }

  async deleteById(id: string): Promise<void> {
    await this.uow.manager.delete(OauthToken, { id });
  }

  /** Ends every sign-in of an account. */
  async deleteAllOf(accountId: string): Promise<void> {
    await this.uow.manager.delete(OauthToken, { accountId });
  }

  /** Ends the sign-in of an access or refresh token, if the given client data matches its app. */
  async delete({ hash, clientId, clientSecret }: Revocation): Promise<void> {
    await this.db.run(deleteByHash, [hash, clientId, clientSecret]);
  }

  /**
   * Removes tokens that can be neither used nor renewed. Index: oauth_tokens_expiry, oauth_spent_refresh_tokens_spent.
   */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'oauth_tokens', where: `not (${isRenewable('expires_at')})`, by: 'expires_at' });
    const endedForApp = `account_id is null and not (${isUnexpiredToken('expires_at')})`;
    await purge(this.db, { table: 'oauth_tokens', where: endedForApp, by: 'expires_at' });
    const long = `interval '${REFRESH_DAYS} days'`;
    await purge(this.db, { table: 'oauth_spent_refresh_tokens', where: `spent_at < now() - ${long}`, by: 'spent_at' });
  }
}
