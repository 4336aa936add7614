import { ForwardOnly } from '../forward-only.js';

/** Remembers for some time which servers fetched a post or a profile with a signature: its deletion goes to them too. */
export class DocumentReaders1764000226200 extends ForwardOnly {
  readonly name = 'DocumentReaders1764000226200';
  protected readonly statements = `
    create table document_readers (
      uri text collate "C" not null,
      host text collate "C" not null,
      inbox text,
      read_at timestamptz not null default now(),
      primary key (uri, host)
    );
    create index document_readers_read on document_readers (read_at);
    alter table remote_keys add column inbox text;`;
}
