import { Injectable } from '@nestjs/common';
import { MAX_UNPAGED } from '../../common/index.js';
import { columns, Database, purge, type RowOf, sql, UnitOfWork } from '../../platform/index.js';
import { OauthApp } from '../model/oauth.entities.js';
import { IS_OPEN } from '../model/token.sql.js';

const SHOWN = [
  'id',
  'name',
  'website',
  'redirectUris',
  'scopes',
  'clientId',
  'clientSecret',
  'trusted',
] as const satisfies readonly (keyof OauthApp)[];

/** An app. It is `trusted` if the operator vouches for it. */
export type AppRow = RowOf<OauthApp, (typeof SHOWN)[number]>;

export type NewApp = Omit<AppRow, 'id' | 'trusted'>;

/** How long an app without sign-ins stays after its last use: longer than its last token lives. */
const UNUSED_DAYS = 60;

const COLUMNS = columns(OauthApp, 'oauth_apps', SHOWN);

// Runs with every post, which shows its app.
const byId = sql<AppRow>('oauth.app', `select ${COLUMNS} from oauth_apps where id = $1`);

const byClientId = sql<AppRow>('oauth.app_by_client_id', `select ${COLUMNS} from oauth_apps where client_id = $1`);

const insert = sql<AppRow>(
  'oauth.insert_app',
  `insert into oauth_apps (name, website, redirect_uris, scopes, client_id, client_secret)
   values ($1, $2, $3::text[], $4::text[], $5, $6) returning ${COLUMNS}`,
);

const ofAccount = sql<AppRow>(
  'oauth.apps_of_account',
  `select ${COLUMNS} from oauth_apps where id in (
     select app.id from oauth_tokens t join oauth_apps app on app.id = t.app_id where t.account_id = $1 and ${IS_OPEN}
     order by t.id desc limit ${MAX_UNPAGED})
   order by id desc`,
);

/** All SQL on `oauth_apps`. */
@Injectable()
export class AppsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async insert(app: NewApp): Promise<AppRow> {
    const { name, website, redirectUris, scopes, clientId, clientSecret: secret } = app;
    const row = await this.db.first(insert, [name, website, redirectUris, scopes, clientId, secret]);
    if (!row) throw new Error('The app was not stored');
    return row;
  }

  byId(id: string): Promise<AppRow | undefined> {
    return this.db.first(byId, [id]);
  }

  /**
   * Records that the app gets a token, and locks the app for other tokens until the open unit of work ends. Returns
   * false when there is no such app.
   */
  async use(id: string, forAccount: boolean): Promise<boolean> {
    const signedIn = forAccount ? { signedIn: true } : {};
    const { affected } = await this.uow.manager.update(OauthApp, { id }, { usedAt: () => 'now()', ...signedIn });
    return affected === 1;
  }

  /** Removes unused apps that no account ever signed in with. Index: oauth_apps_unused. */
  async purge(): Promise<void> {
    const unused = `not signed_in and not trusted and used_at < now() - interval '${UNUSED_DAYS} days'`;
    await purge(this.db, { table: 'oauth_apps', where: unused, by: 'used_at' });
  }

  /** Stores the server's own app unless it exists. */
  async insertOwn(app: NewApp): Promise<void> {
    const values = {
      name: app.name,
      website: app.website,
      redirectUris: [...app.redirectUris],
      scopes: [...app.scopes],
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      trusted: true,
    };
    await this.uow.manager.createQueryBuilder().insert().into(OauthApp).values(values).orIgnore().execute();
  }

  /** The apps of the account's newest sign-ins. Index: oauth_tokens_account. */
  ofAccount(accountId: string): Promise<AppRow[]> {
    return this.db.rows(ofAccount, [accountId]);
  }

  byClientId(clientId: string): Promise<AppRow | undefined> {
    return this.db.first(byClientId, [clientId]);
  }
}
