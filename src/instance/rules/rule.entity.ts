import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One of the rules that people here agree to (spec §2.6: report rule). */
@Entity('rules')
export class Rule {
  @PrimaryColumn({ type: 'bigint' })
  id: string;

  /** The lower, the further up it stands. */
  @Column({ type: 'int', default: 0 })
  priority: number;

  @Column({ type: 'text' })
  text: string;

  /** What it means, in more words; may be empty. */
  @Column({ type: 'text', default: '' })
  hint: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
