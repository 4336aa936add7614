import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What is remembered of an activity and its signer, as SHA-256; see {@link SeenActivitiesRepository}. */
@Entity('seen_activities')
export class SeenActivity {
  @PrimaryColumn({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'timestamptz', name: 'received_at' })
  receivedAt: Date;
}
