import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The only row of the server's totals. A job refreshes it; requests never count. */
@Entity('instance_totals')
export class InstanceTotals {
  /** Always true: there is no second row. */
  @PrimaryColumn({ type: 'boolean', default: true })
  id: boolean;

  @Column({ type: 'int', default: 0 })
  users: number;

  @Column({ type: 'int', default: 0 })
  statuses: number;

  @Column({ type: 'int', default: 0 })
  domains: number;

  @Column({ type: 'int', name: 'active_month', default: 0 })
  activeMonth: number;

  @Column({ type: 'int', name: 'active_halfyear', default: 0 })
  activeHalfyear: number;

  @Column({ type: 'timestamptz', name: 'refreshed_at', default: () => 'now()' })
  refreshedAt: Date;
}
