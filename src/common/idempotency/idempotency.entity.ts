import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One use of the header `Idempotency-Key`; `ref` is the id of the created object. Kept for 6 hours. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @PrimaryColumn({ type: 'text' })
  route: string;

  @Column({ type: 'text', nullable: true })
  ref: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
