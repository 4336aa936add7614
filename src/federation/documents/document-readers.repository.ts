import { Injectable } from '@nestjs/common';
import { Database, purge, someRow, sql, UnitOfWork } from '../../platform/index.js';
import { DocumentReader } from './document-reader.entity.js';

/** Servers that are remembered for one document. */
const MOST_HOSTS = 1_000;

// A document may be given with several servers, and a server with several documents. What is stored is always renewed.
// Index: document_readers_pkey.
const insert = sql(
  'federation.insert_document_readers',
  `insert into document_readers (uri, host, inbox)
   select distinct on (given.uri, given.host) given.uri, given.host, given.inbox
   from unnest($1::text[], $2::text[], $3::text[]) given (uri, host, inbox)
   where ${someRow('document_readers r where r.uri = given.uri and r.host = given.host')}
     or (select count(*) from document_readers r where r.uri = given.uri) < ${MOST_HOSTS}
   on conflict (uri, host) do update set inbox = excluded.inbox, read_at = now()`,
);

/** A server, and where it takes activities if that is known. */
export type ReadingServer = Pick<DocumentReader, 'host' | 'inbox'>;

/** All SQL on `document_readers`. */
@Injectable()
export class DocumentReadersRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Remembers readings. A document that many servers have read gets no new ones; those it has are renewed. */
  async insert(readings: readonly (ReadingServer & { readonly uri: string })[]): Promise<void> {
    const columns = [
      readings.map(({ uri }) => uri),
      readings.map(({ host }) => host),
      readings.map((each) => each.inbox),
    ];
    await this.db.run(insert, columns);
  }

  /** The servers that have read a document. */
  serversOf(uri: string): Promise<ReadingServer[]> {
    return this.uow.manager.find(DocumentReader, { select: { host: true, inbox: true }, where: { uri } });
  }

  /** Removes what was read long ago. Index: document_readers_read. */
  async purge(days: number): Promise<void> {
    const where = `read_at < now() - make_interval(days => $1)`;
    await purge(this.db, { table: 'document_readers', where, by: 'read_at' }, [days]);
  }
}
