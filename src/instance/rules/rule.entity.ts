import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One of the server's rules (spec §2.6: report rule). */
@Entity('rules')
export class Rule {
  @PrimaryColumn({ type: 'bigint' })
  id: string;

  /** The sort order: low values first. */
  @Column({ type: 'int', default: 0 })
  priority: number;

  @Column({ type: 'text' })
  text: string;

  /** An optional explanation; may be empty. */
  @Column({ type: 'text', default: '' })
  hint: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
