import { Injectable } from '@nestjs/common';
import { columns, Database, type Keyset, type RowOf, sql } from '../../platform/index.js';
import { isFollowed } from '../model/relations.sql.js';
import { FOLLOWERS_ONLY, LOCAL_ONLY, PUBLIC_OR_UNLISTED, type VisibilityName } from '../model/visibility-classes.js';
import { Scrobble } from './scrobble.entity.js';

const SHOWN = ['id', 'accountId', 'title', 'artist', 'album', 'length', 'externalLink', 'createdAt'] as const;

/** A scrobble to show. `length` is in milliseconds. */
export type ScrobbleRow = RowOf<Scrobble, (typeof SHOWN)[number]>;

export interface NewScrobble extends Pick<ScrobbleRow, 'title' | 'artist' | 'album' | 'length'> {
  readonly externalLink: string;
  readonly visibility: VisibilityName;
}

/** How an account of another server says what it listens to. */
export interface RemoteListen {
  /** The id of the activity. */
  readonly uri: string;
  readonly createdAt: Date;
}

const COLUMNS = columns(Scrobble, 'scrobbles', SHOWN);

/** Visibility of the scrobbles of `$1`, as of its posts; `$2` is the viewer, '' for anonymous callers. */
const MAY_KNOW = `(${PUBLIC_OR_UNLISTED.sqlOfName('visibility')} or $1 = $2
  or ${LOCAL_ONLY.sqlOfName('visibility')} and $2 <> ''
  or ${FOLLOWERS_ONLY.sqlOfName('visibility')} and ${isFollowed('$1', '$2')})`;

const insert = sql<ScrobbleRow>(
  'scrobbles.insert',
  `insert into scrobbles (account_id, title, artist, album, length, external_link, visibility)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
);

const insertRemote = sql(
  'scrobbles.insert_remote',
  `insert into scrobbles (account_id, title, artist, album, length, external_link, visibility, uri, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
);

const deleteOlder = sql(
  'scrobbles.keep_newest',
  `delete from scrobbles where account_id = $1 and id <= (
     select id from scrobbles where account_id = $1 order by id desc offset $2 limit 1)`,
);

const page = (direction: Keyset['direction']) =>
  sql<ScrobbleRow>(
    `scrobbles.page.${direction}`,
    `select ${COLUMNS} from scrobbles where account_id = $1 and ${MAY_KNOW} and id < $3 and id > $4
     order by id ${direction === 'older' ? 'desc' : 'asc'} limit $5 offset $6`,
  );
const pages = { older: page('older'), newer: page('newer') };

/** All SQL on `scrobbles`. Index of each: scrobbles_account. */
@Injectable()
export class ScrobbleRepository {
  constructor(private readonly db: Database) {}

  async insert(accountId: string, scrobble: NewScrobble): Promise<ScrobbleRow> {
    const row = await this.db.first(insert, valuesOf(accountId, scrobble));
    if (!row) throw new Error('An insert without conflict rule answered no row');
    return row;
  }

  /** Returns false when this listen is stored already. */
  async insertRemote(accountId: string, scrobble: NewScrobble, { uri, createdAt }: RemoteListen): Promise<boolean> {
    return (await this.db.run(insertRemote, [...valuesOf(accountId, scrobble), uri, createdAt])) === 1;
  }

  /** Removes all but the account's newest. */
  async deleteOlder(accountId: string, count: number): Promise<void> {
    await this.db.run(deleteOlder, [accountId, count]);
  }

  /** The scrobbles that the viewer may see. */
  page(
    accountId: string,
    viewerId: string,
    { direction, below, above, limit }: Keyset,
    offset: number,
  ): Promise<ScrobbleRow[]> {
    return this.db.rows(pages[direction], [accountId, viewerId, below, above, limit, offset]);
  }
}

function valuesOf(accountId: string, scrobble: NewScrobble): unknown[] {
  const { title, artist, album, length, externalLink, visibility } = scrobble;
  return [accountId, title, artist, album, length, externalLink, visibility];
}
