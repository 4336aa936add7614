import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A file of another server that the proxy does not serve until an operator lifts the ban. */
@Entity('banned_media')
export class BannedMedia {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** SHA-256 of the URL in its normal form. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
