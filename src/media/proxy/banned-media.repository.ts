import { Injectable } from '@nestjs/common';
import { Any, type FindOperator, ILike } from 'typeorm';
import { MAX_LISTED } from '../../common/index.js';
import { countFound, Database, sql, UnitOfWork } from '../../platform/index.js';
import { BannedMedia } from './banned-media.entity.js';

/** A banned file: its name in the cache, and its URL. */
export interface BannedFile {
  readonly digest: string;
  readonly url: string;
}

const isBanned = sql<{ id: string }>('media.is_banned', `select id from banned_media where digest = decode($1, 'hex')`);

// Index: banned_media_url, which an ordered page would not use.
const matching = sql<{ url: string }>(
  'media.banned_like',
  `with found as materialized (select id, url from banned_media where url ilike $3)
   select url from found order by id desc limit $1 offset $2`,
);

const insert = sql(
  'media.ban',
  `insert into banned_media (digest, url)
   select decode(f.digest, 'hex'), f.url from unnest($1::text[], $2::text[]) as f(digest, url) order by f.digest
   on conflict (digest) do nothing`,
);

/** All SQL on `banned_media`. Digests are checked texts of hexadecimal digits. */
@Injectable()
export class BannedMediaRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async has(digest: string): Promise<boolean> {
    return (await this.db.first(isBanned, [digest])) !== undefined;
  }

  /** Those of the files that are banned. Index: banned_media_digest_key. */
  async among(digests: readonly string[]): Promise<string[]> {
    const banned = { select: { digest: true }, where: { digest: anyOf(digests) } } as const;
    return (await this.uow.manager.find(BannedMedia, banned)).map(({ digest }) => digest.toString('hex'));
  }

  /** Banned URLs that contain a text, the newest first. */
  async page(query: string, limit: number, offset: number): Promise<string[]> {
    const page = { select: { url: true }, order: { id: 'DESC' }, take: limit, skip: offset } as const;
    const rows =
      query === ''
        ? await this.uow.manager.find(BannedMedia, page)
        : await this.db.rows(matching, [limit, offset, containing(query)]);
    return rows.map(({ url }) => url);
  }

  /** Up to {@link MAX_LISTED}. */
  count(query: string): Promise<number> {
    const where = query === '' ? {} : { url: ILike(containing(query)) };
    return countFound(this.uow.manager, BannedMedia, where, MAX_LISTED);
  }

  /** Sorted, so that concurrent bans of the same files do not deadlock. */
  async insert(files: readonly BannedFile[]): Promise<void> {
    await this.db.run(insert, [files.map(({ digest }) => digest), files.map(({ url }) => url)]);
  }

  /** Returns how many bans were lifted. */
  async delete(digests: readonly string[]): Promise<number> {
    return (await this.uow.manager.delete(BannedMedia, { digest: anyOf(digests) })).affected ?? 0;
  }
}

function anyOf(digests: readonly string[]): FindOperator<Buffer> {
  return Any(digests.map((hex) => Buffer.from(hex, 'hex')));
}

function containing(query: string): string {
  return `%${query.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
