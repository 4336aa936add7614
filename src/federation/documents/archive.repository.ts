import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isNotRemoved } from '../../statuses/index.js';
import { NOTE_TABLES, noteColumns } from './note.sql.js';
import type { NoteSource } from '../render/note.js';

/** A post of an account, or a boost of one. */
export interface ArchivedStatusRow extends NoteSource {
  readonly id: string;
  /** The object id of a reblogged post. */
  readonly reblogged: string | null;
}

const posted = sql<ArchivedStatusRow>(
  'federation.posted',
  `select s.id, ${noteColumns('$2')}, reblogged.uri as reblogged
   from ${NOTE_TABLES} left join statuses reblogged on reblogged.id = s.reblog_of_id
   where s.author_id = $1 and s.id > $3 and (s.reblog_of_id is null or ${isNotRemoved('reblogged')})
   order by s.id limit $4`,
);

/** Reads for the archive of an account. */
@Injectable()
export class ArchiveRepository {
  constructor(private readonly db: Database) {}

  /** The posts and boosts of an account after an id, the oldest first, of every visibility. Index: statuses_author. */
  posted(accountId: string, handleDomain: string, after: string, limit: number): Promise<ArchivedStatusRow[]> {
    return this.db.rows(posted, [accountId, handleDomain, after, limit]);
  }
}
