import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What people did here in one week. Kept as it was counted then: later nobody knows any more who was there. */
@Entity('instance_weeks')
export class InstanceWeek {
  /** The Monday it begins with, in UTC. */
  @PrimaryColumn({ type: 'date' })
  week: string;

  /** Posts written here, boosts not among them. */
  @Column({ type: 'int', default: 0 })
  statuses: number;

  /** People who were here. */
  @Column({ type: 'int', default: 0 })
  logins: number;

  /** New accounts. */
  @Column({ type: 'int', default: 0 })
  registrations: number;
}
