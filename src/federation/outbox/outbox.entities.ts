import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The forms of HTTP signatures: draft-cavage-http-signatures-12, and RFC 9421. */
export type SignatureScheme = 'cavage' | 'rfc9421';

/** An activity that was sent to other servers. */
@Entity('activities')
export class ActivityRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text' })
  uri: string;

  /** Null for the server itself. */
  @Column({ type: 'text', name: 'account_id', collation: 'C', nullable: true })
  accountId: string | null;

  @Column({ type: 'text' })
  type: string;

  /** The action, while it can be undone: `like:<account>:<status>`. Rows without a subject are removed after a while. */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  @Column({ type: 'json' })
  body: object;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** An activity that an inbox is to get. The row is removed after the answer. */
@Entity('deliveries')
export class Delivery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** The host of the inbox, with its port. */
  @Column({ type: 'text' })
  host: string;

  @Column({ type: 'text' })
  inbox: string;

  @Column({ type: 'bigint', name: 'activity_id' })
  activityId: string;

  /** The ordering key: a host gets activities with the same key one after the other. */
  @Column({ type: 'text' })
  object: string;

  @Column({ type: 'int' })
  attempts: number;

  @Column({ type: 'timestamptz', name: 'next_at' })
  nextAt: Date;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** The request that it follows from, for the log. */
  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId: string | null;

  /** The span that it follows from, as W3C Trace Context writes it. */
  @Column({ type: 'text', nullable: true })
  traceparent: string | null;
}

/** `failing` hosts get one attempt at a time, `dead` ones nothing until we hear from them. */
export type HostState = 'ok' | 'failing' | 'dead';

/** How a remote server can be reached. */
@Entity('hosts')
export class RemoteHost {
  @PrimaryColumn({ type: 'text' })
  host: string;

  @Column({ type: 'text' })
  state: HostState;

  /** When it was first not reached. */
  @Column({ type: 'timestamptz', name: 'unreachable_since', nullable: true })
  unreachableSince: Date | null;

  /** When a failing host is tried again. */
  @Column({ type: 'timestamptz', name: 'probe_at', nullable: true })
  probeAt: Date | null;

  /** When it last took a delivery, or sent one; written now and then. */
  @Column({ type: 'timestamptz', name: 'reached_at', nullable: true })
  reachedAt: Date | null;

  /** The form of signatures that it accepted last. */
  @Column({ type: 'text', nullable: true })
  signature: SignatureScheme | null;

  /** Inboxes that answered lately that they are gone. */
  @Column({ type: 'text', name: 'gone_inboxes', array: true })
  goneInboxes: string[];

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError: string | null;
}
