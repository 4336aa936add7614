import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** A banned file: its name in the cache, and its URL. */
export interface BannedFile {
  readonly digest: string;
  readonly url: string;
}

const isBanned = sql<{ id: string }>('media.is_banned', `select id from banned_media where digest = decode($1, 'hex')`);

const page = sql<{ url: string }>('media.banned', 'select url from banned_media order by id desc limit $1 offset $2');

// Index: banned_media_url, which an ordered page would not use.
const matching = sql<{ url: string }>(
  'media.banned_like',
  `with found as materialized (select id, url from banned_media where url ilike $3)
   select url from found order by id desc limit $1 offset $2`,
);

const count = sql<{ count: number }>('media.count_banned', 'select count(*)::int as count from banned_media');

const countMatching = sql<{ count: number }>(
  'media.count_banned_like',
  'select count(*)::int as count from banned_media where url ilike $1',
);

/** All SQL on `banned_media`. Digests are checked texts of hexadecimal digits. */
@Injectable()
export class BannedMediaRepository {
  constructor(private readonly db: Database) {}

  async has(digest: string): Promise<boolean> {
    return (await this.db.first(isBanned, [digest])) !== undefined;
  }

  /** Banned URLs that contain a text, the newest first. */
  async page(query: string, limit: number, offset: number): Promise<string[]> {
    const rows =
      query === ''
        ? await this.db.rows(page, [limit, offset])
        : await this.db.rows(matching, [limit, offset, containing(query)]);
    return rows.map(({ url }) => url);
  }

  async count(query: string): Promise<number> {
    const row = query === '' ? await this.db.first(count) : await this.db.first(countMatching, [containing(query)]);
    return row?.count ?? 0;
  }

  /** Sorted, so that concurrent bans of the same files do not deadlock. */
  async insert(files: readonly BannedFile[]): Promise<void> {
    await this.db.query(
      `insert into banned_media (digest, url)
       select decode(f.digest, 'hex'), f.url from unnest($1::text[], $2::text[]) as f(digest, url) order by f.digest
       on conflict (digest) do nothing`,
      [files.map(({ digest }) => digest), files.map(({ url }) => url)],
    );
  }

  /** Returns how many bans were lifted. */
  async delete(digests: readonly string[]): Promise<number> {
    const rows = await this.db.query(
      `delete from banned_media b using unnest($1::text[]) as f(digest) where b.digest = decode(f.digest, 'hex')
       returning 1`,
      [digests],
    );
    return rows.length;
  }
}

function containing(query: string): string {
  return `%${query.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
