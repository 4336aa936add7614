import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What accounts show of another server. It goes with the last account of its domain. */
@Entity('host_facts')
export class RemoteInstance {
  /** As in `accounts.domain`. */
  @PrimaryColumn({ type: 'text' })
  domain: string;

  @Column({ type: 'text', name: 'favicon_url', nullable: true })
  faviconUrl: string | null;

  /** When it last answered; when it was first heard of, if it never did. */
  @Column({ type: 'timestamptz', name: 'answered_at' })
  answeredAt: Date;

  /** When it is asked next. */
  @Column({ type: 'timestamptz', name: 'due_at' })
  dueAt: Date;
}
