import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A partial count of the posts of one server and one visibility. Boosts do not count. */
@Entity('status_totals')
export class StatusTotal {
  /** Empty for this server. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  domain: string;

  @PrimaryColumn({ type: 'smallint' })
  visibility: number;

  /** Tells apart the rows that are added up. */
  @PrimaryColumn({ type: 'smallint' })
  slot: number;

  @Column({ type: 'int' })
  count: number;
}
