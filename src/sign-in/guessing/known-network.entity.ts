import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address or a network that an account signed in from. Removed some time after its last use. */
@Entity('known_networks')
export class KnownNetwork {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** A hash with the server's secret as key, different for each account, so that it cannot be looked up. */
  @PrimaryColumn({ type: 'bytea', name: 'network_hash' })
  networkHash: Buffer;

  /** Written at most daily. */
  @Column({ type: 'timestamptz', name: 'last_used_at' })
  lastUsedAt: Date;
}
