import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A piece of work that follows from a commit. The row lives until its handler is done (docs/adr/0003). */
@Entity('jobs')
export class JobRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  queue: string;

  @Column({ type: 'jsonb' })
  payload: Record<string, unknown>;

  /** At most one row of a key waits; a second request while it runs sets `again`. */
  @Column({ type: 'text', nullable: true })
  key: string | null;

  /** When it is due; a claim moves it ahead by the lease. */
  @Column({ type: 'timestamptz', name: 'run_at' })
  runAt: Date;

  @Column({ type: 'int' })
  attempts: number;

  @Column({ type: 'boolean' })
  again: boolean;

  @Column({ type: 'timestamptz', name: 'parked_at', nullable: true })
  parkedAt: Date | null;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError: string | null;

  /** The request that it follows from, for the log. */
  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId: string | null;

  /** The span that it follows from, as W3C Trace Context writes it. */
  @Column({ type: 'text', nullable: true })
  traceparent: string | null;
}
