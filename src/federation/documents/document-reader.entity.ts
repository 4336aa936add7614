import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A server that fetched a document with a signature: a post, or the profile of an account here. */
@Entity('document_readers')
export class DocumentReader {
  /** The id of the document. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  uri: string;

  /** The server of the signer, with its port. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  host: string;

  /** Where the server of the signer takes activities, if that is known. */
  @Column({ type: 'text', nullable: true })
  inbox: string | null;

  @Index('document_readers_read')
  @Column({ type: 'timestamptz', name: 'read_at' })
  readAt: Date;
}
