import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The stored value of a setting; a setting without a row has its default. */
@Entity('config_items')
export class ConfigItem {
  @PrimaryColumn({ type: 'text', name: 'group_name' })
  group: string;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'jsonb' })
  value: unknown;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
