import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of the number of posts of one server and one visibility. Boosts do not count. */
@Entity('status_totals')
export class StatusTotal {
  /** Empty for this server. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  domain: string;

  @PrimaryColumn({ type: 'smallint' })
  visibility: number;

  /** One of several rows, which are added up. */
  @PrimaryColumn({ type: 'smallint' })
  slot: number;

  @Column({ type: 'int' })
  count: number;
}
