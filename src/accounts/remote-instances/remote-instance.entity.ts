import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Data about a remote server that its accounts show. The row ends with the last account of its domain. */
@Entity('remote_instances')
export class RemoteInstance {
  /** As in `accounts.domain`. */
  @PrimaryColumn({ type: 'text' })
  domain: string;

  @Column({ type: 'text', name: 'favicon_url', nullable: true })
  faviconUrl: string | null;

  /** When the server last answered; if it never did, when its first account was stored. */
  @Column({ type: 'timestamptz', name: 'answered_at' })
  answeredAt: Date;

  /** When the server is asked next. */
  @Column({ type: 'timestamptz', name: 'due_at' })
  dueAt: Date;
}
