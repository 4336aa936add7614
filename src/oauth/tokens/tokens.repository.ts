import { Injectable } from '@nestjs/common';
import type { LoginResult } from '../../accounts/index.js';
import { Database, purge, sql } from '../../platform/index.js';

/** A valid token with its owner's data for the guards. */
export interface ResolvedToken {
  readonly id: string;
  readonly app_id: string;
  readonly account_id: string | null;
  readonly scopes: readonly string[];
  readonly is_admin: boolean;
  readonly is_moderator: boolean;
  readonly expires_at: string;
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
  readonly created_at: string;
  /** The ActivityPub id of the owner. */
  readonly ap_id: string | null;
}

/** A sign-in, as its owner sees it. */
export interface SignInRow {
  readonly id: string;
  readonly app_name: string;
  readonly website: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** A sign-in for renewal. */
export interface RenewableToken {
  readonly id: string;
  readonly app_id: string;
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

/**
 * Condition on a token `t` with its owner's `accounts a` and `users u`: it is not expired, and its owner may use the
 * server.
 */
const IS_LIVE = `t.expires_at > now() and (t.account_id is null
     or (a.deactivated_at is null and u.is_confirmed and u.is_approved and not u.password_reset_required))`;

const resolving = (condition: string) => `select t.id, t.app_id, t.account_id, t.scopes, t.expires_at,
     coalesce(u.is_admin, false) as is_admin, coalesce(u.is_moderator, false) as is_moderator
   from oauth_tokens t
   left join accounts a on a.id = t.account_id
   left join users u on u.account_id = t.account_id
   where ${condition} and ${IS_LIVE}`;

// Runs with every request that carries a token.
const resolve = sql<ResolvedToken>('oauth.resolve', resolving('t.token_hash = $1'));

const resolveId = sql<ResolvedToken>('oauth.resolve-id', resolving('t.id = $1'));

// Runs every few seconds while live streams are open.
const live = sql<{ id: string }>(
  'oauth.live',
  `select t.id from oauth_tokens t
   left join accounts a on a.id = t.account_id
   left join users u on u.account_id = t.account_id
   where t.id = any($1::bigint[]) and ${IS_LIVE}`,
);

/** How long an app's own token stays valid after the app got another one of the same scopes. */
const SUPERSEDED = `interval '1 hour'`;

/** Days that a refresh token outlives its access token of any lifetime. */
const REFRESH_DAYS = 90;
const RENEWABLE = `expires_at > now() - interval '${REFRESH_DAYS} days'`;

const OWNER_STATE = `case when a.deactivated_at is not null then 'deactivated' when u.password_reset_required then 'reset_required'
  when not u.is_confirmed then 'unconfirmed' when not u.is_approved then 'unapproved' else 'ok' end`;

/** All SQL on `oauth_tokens` and `oauth_spent_refresh_tokens`. */
@Injectable()
export class TokensRepository {
  constructor(private readonly db: Database) {}

  async resolve(hash: Buffer): Promise<ResolvedToken | undefined> {
    return this.db.first(resolve, [hash]);
  }

  async resolveId(id: string): Promise<ResolvedToken | undefined> {
    return this.db.first(resolveId, [id]);
  }

  /** The ids whose tokens {@link resolve} would find. */
  async live(ids: readonly string[]): Promise<string[]> {
    return (await this.db.rows(live, [ids])).map(({ id }) => id);
  }

  async insert({ appId, accountId, scopes }: TokenGrant, hashes: TokenHashes): Promise<IssuedToken> {
    const [row] = await this.db.query<IssuedToken>(
      `with issued as (
         insert into oauth_tokens (app_id, account_id, scopes, token_hash, refresh_hash, expires_at)
         values ($1, $2, $3::text[], $4, $5, now() + $6 * interval '1 second')
         returning id, account_id, scopes, created_at)
       select i.id, i.scopes, i.created_at, a.ap_id from issued i left join accounts a on a.id = i.account_id`,
      [appId, accountId, scopes, hashes.access, hashes.refresh, hashes.expiresInSeconds],
    );
    if (!row) throw new Error('The token was not stored');
    return row;
  }

  /** Shortens the life of the app's own tokens with exactly these scopes. Index: oauth_tokens_of_apps. */
  async supersede(appId: string, scopes: readonly string[]): Promise<void> {
    await this.db.query(
      `update oauth_tokens set expires_at = now() + ${SUPERSEDED}
       where app_id = $1 and account_id is null and scopes @> $2::text[] and scopes <@ $2::text[]
         and expires_at > now() + ${SUPERSEDED}`,
      [appId, scopes],
    );
  }

  /** The sign-in that a refresh token can renew. Apps' own tokens cannot be renewed. */
  async byRefreshHash(hash: Buffer): Promise<RenewableToken | undefined> {
    const [row] = await this.db.query<RenewableToken>(
      `select t.id, t.app_id, t.scopes, ${OWNER_STATE} as state
       from oauth_tokens t join accounts a on a.id = t.account_id join users u on u.account_id = t.account_id
       where t.refresh_hash = $1 and t.${RENEWABLE}`,
      [hash],
    );
    return row;
  }

  /**
   * Replaces the tokens and stores the spent refresh token, in one statement. Of several concurrent callers one
   * succeeds; the others get undefined.
   */
  async rotate(id: string, spent: Buffer, hashes: TokenHashes): Promise<IssuedToken | undefined> {
    const [row] = await this.db.query<IssuedToken>(
      `with renewed as (
         update oauth_tokens set token_hash = $3, refresh_hash = $4, created_at = now(),
           expires_at = now() + $5 * interval '1 second'
         where id = $1 and refresh_hash = $2
         returning id, account_id, scopes, created_at),
       spent as (insert into oauth_spent_refresh_tokens (refresh_hash, token_id) select $2, id from renewed)
       select r.id, r.scopes, r.created_at, a.ap_id from renewed r left join accounts a on a.id = r.account_id`,
      [id, spent, hashes.access, hashes.refresh, hashes.expiresInSeconds],
    );
    return row;
  }

  /** Ends the sign-in of a spent refresh token. */
  async deleteFamilyOf(spent: Buffer): Promise<void> {
    await this.db.query(
      `delete from oauth_tokens where id = (select token_id from oauth_spent_refresh_tokens where refresh_hash = $1)`,
      [spent],
    );
  }

  /** Index: oauth_tokens_account. */
  async scopesOf(appId: string, accountId: string): Promise<string[][]> {
    const rows = await this.db.query<{ scopes: string[] }>(
      'select scopes from oauth_tokens where account_id = $2 and app_id = $1 and expires_at > now()',
      [appId, accountId],
    );
    return rows.map(({ scopes }) => scopes);
  }

  /** The account's valid sign-ins, the newest first. Index: oauth_tokens_account. */
  ofAccount(accountId: string): Promise<SignInRow[]> {
    return this.db.query<SignInRow>(
      `select t.id, app.name as app_name, app.website, t.created_at, t.expires_at
       from oauth_tokens t join oauth_apps app on app.id = t.app_id
       where t.account_id = $1 and t.expires_at > now() order by t.id desc`,
      [accountId],
    );
  }

  /** Ends a sign-in of the account; false when it has none with this id. */
  async deleteOf(accountId: string, id: string): Promise<boolean> {
    const rows = await this.db.query('delete from oauth_tokens where id = $1 and account_id = $2 returning id', [
      id,
      accountId,
    ]);
    return rows.length === 1;
  }

  /** Ends every sign-in of an account but one; null keeps none. */
  async deleteOthersOf(accountId: string, keptId: string | null): Promise<void> {
    await this.db.query('delete from oauth_tokens where account_id = $1 and id is distinct from $2', [
      accountId,
      keptId,
    ]);
  }

  async deleteById(id: string): Promise<void> {
    await this.db.query('delete from oauth_tokens where id = $1', [id]);
  }

  /** Ends every sign-in of an account. */
  async deleteAllOf(accountId: string): Promise<void> {
    await this.db.query('delete from oauth_tokens where account_id = $1', [accountId]);
  }

  /** Ends the sign-in of an access or refresh token, if the given client data matches its app. */
  async delete({ hash, clientId, clientSecret }: Revocation): Promise<void> {
    await this.db.query(
      `delete from oauth_tokens t using oauth_apps app
       where (t.token_hash = $1 or t.refresh_hash = $1) and app.id = t.app_id
         and ($2::text is null or app.client_id = $2) and ($3::text is null or app.client_secret = $3)`,
      [hash, clientId, clientSecret],
    );
  }

  /**
   * Removes tokens that can be neither used nor renewed. Index: oauth_tokens_expiry, oauth_spent_refresh_tokens_spent.
   */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'oauth_tokens', where: `not (${RENEWABLE})`, by: 'expires_at' });
    const endedForApp = 'account_id is null and expires_at < now()';
    await purge(this.db, { table: 'oauth_tokens', where: endedForApp, by: 'expires_at' });
    const long = `interval '${REFRESH_DAYS} days'`;
    await purge(this.db, { table: 'oauth_spent_refresh_tokens', where: `spent_at < now() - ${long}`, by: 'spent_at' });
  }
}
