import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A public key of an actor of another server, which names it in its document. Fetched again when it is a month old. */
@Entity('remote_keys')
export class RemoteKeyRow {
  @PrimaryColumn({ type: 'text', name: 'key_id', collation: 'C' })
  keyId: string;

  @Column({ type: 'text', name: 'owner_uri', collation: 'C' })
  ownerUri: string;

  @Column({ type: 'text', name: 'public_pem' })
  publicPem: string;

  /** Where the server of the owner takes activities; null for keys that were fetched before this was stored. */
  @Column({ type: 'text', nullable: true })
  inbox: string | null;

  @Column({ type: 'timestamptz', name: 'fetched_at' })
  fetchedAt: Date;
}
