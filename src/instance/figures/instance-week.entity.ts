import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The activity of one week. Stored at that time, since it cannot be counted later. */
@Entity('instance_weeks')
export class InstanceWeek {
  /** The Monday of its begin, in UTC. */
  @PrimaryColumn({ type: 'date' })
  week: string;

  /** New local posts, without boosts. */
  @Column({ type: 'int', default: 0 })
  statuses: number;

  /** Active accounts. */
  @Column({ type: 'int', default: 0 })
  logins: number;

  /** New accounts. */
  @Column({ type: 'int', default: 0 })
  registrations: number;
}
