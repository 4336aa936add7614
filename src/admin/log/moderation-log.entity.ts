import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The actor. The operator, with the admin token or the command line, has no account. */
export interface LogActor {
  readonly id: string | null;
  readonly nickname: string;
  readonly type: 'user' | 'operator';
}

/** The subject of the action: an account or a report with the nickname of the account, or another thing with its id or name. */
export interface LogSubject {
  readonly type: string;
  readonly id: string;
  readonly nickname?: string;
}

export interface LogData extends Readonly<Record<string, unknown>> {
  readonly actor: LogActor;
  readonly action: string;
  readonly subject: readonly LogSubject[];
}

/** An entry of the moderation log (spec §4.1.5). Without foreign keys: it outlives the accounts in it. */
@Entity('moderation_log')
export class ModerationLogEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Null for the operator. */
  @Column({ type: 'text', name: 'actor_id', collation: 'C', nullable: true })
  actorId: string | null;

  @Column({ type: 'text' })
  action: string;

  @Column({ type: 'jsonb' })
  data: object;

  /** One sentence, as it was on that day; the search reads it. */
  @Column({ type: 'text' })
  message: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
