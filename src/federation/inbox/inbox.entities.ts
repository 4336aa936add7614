import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A received activity whose signature was verified and whose effect is not stored yet. */
@Entity('inbox_queue')
export class QueuedActivityRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Of the actor. */
  @Column({ type: 'text' })
  host: string;

  /** The account whose key signed it. */
  @Column({ type: 'text', name: 'actor_id', collation: 'C' })
  actorId: string;

  /** The account whose own inbox received it; null for the shared inbox. */
  @Column({ type: 'text', name: 'inbox_of', collation: 'C', nullable: true })
  inboxOf: string | null;

  /** The JSON as it was received. */
  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'timestamptz', name: 'received_at' })
  receivedAt: Date;

  /** Due at this time; a failed try moves it ahead. */
  @Column({ type: 'timestamptz', name: 'run_at' })
  runAt: Date;

  @Column({ type: 'int' })
  attempts: number;

  /** Whether another server has to be asked first: it waits apart from the others. */
  @Column({ type: 'boolean' })
  asks: boolean;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError: string | null;

  /** The request that brought it. */
  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId: string | null;

  /** The span of that request, as W3C Trace Context writes it. */
  @Column({ type: 'text', nullable: true })
  traceparent: string | null;
}

/** What an activity is about that waits apart: later ones of its actor about the same wait for it. */
@Entity('inbox_asking')
export class AskingSubject {
  @PrimaryColumn({ type: 'text', name: 'actor_id', collation: 'C' })
  actorId: string;

  /** A hash. */
  @PrimaryColumn({ type: 'int' })
  about: number;

  /** Of `inbox_queue`, with which this ends. */
  @PrimaryColumn({ type: 'bigint', name: 'activity_id' })
  activityId: string;
}
