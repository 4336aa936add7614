import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A public text of the staff. */
@Entity('instance_texts')
export class InstanceText {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Sanitised. */
  @Column({ type: 'text' })
  html: string;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
