import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/index.js';

/** A row of `oauth_apps`. */
export interface AppRow {
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly client_id: string;
  readonly client_secret: string;
  /** Whether those who run the server vouch for it. */
  readonly trusted: boolean;
}

export type NewApp = Omit<AppRow, 'id' | 'trusted'>;

const COLUMNS = 'id, name, website, redirect_uris, scopes, client_id, client_secret, trusted';

// Runs with every post, whose app is shown.
const byId = sql<AppRow>('oauth.app', `select ${COLUMNS} from oauth_apps where id = $1`);

/** All SQL on `oauth_apps`. */
@Injectable()
export class AppsRepository {
  constructor(private readonly db: Database) {}

  async insert(app: NewApp): Promise<AppRow> {
    const [row] = await this.db.query<AppRow>(
      `insert into oauth_apps (name, website, redirect_uris, scopes, client_id, client_secret)
       values ($1, $2, $3::text[], $4::text[], $5, $6) returning ${COLUMNS}`,
      [app.name, app.website, app.redirect_uris, app.scopes, app.client_id, app.client_secret],
    );
    if (!row) throw new Error('The app was not stored');
    return row;
  }

  byId(id: string): Promise<AppRow | undefined> {
    return this.db.first(byId, [id]);
  }

  async byClientId(clientId: string): Promise<AppRow | undefined> {
    return (await this.db.query<AppRow>(`select ${COLUMNS} from oauth_apps where client_id = $1`, [clientId]))[0];
  }
}
