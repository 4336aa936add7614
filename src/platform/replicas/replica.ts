import { Logger } from '@nestjs/common';
import type { Statement } from '../database/sql.js';
import type { DatabaseAddress } from '../env/database-address.js';
import { messageOf } from '../env/errors.js';
import { bracketed } from '../urls/urls.js';
import { type ConnectionOptions, ReplicaSession } from './replica-session.js';

/** A replica that has replayed nothing newer than this answers no reads. */
const MAX_LAG_MS = 10_000;
/** Moments of which it is not known whether the replica has replayed them. */
const MOST_AWAITED = 256;

/** A moment of the primary. */
export interface Moment {
  /** On the clock of the `ChangeLog`: every change that was noted until then stands in the log before `position`. */
  readonly clock: number;
  readonly position: bigint;
  /** By a clock of this process that is never set. */
  readonly at: number;
  /** Of the database and its timeline. */
  readonly identity: string;
}

/** Whether a replica answers reads. */
export type ReplicaState = 'ok' | 'behind' | 'unavailable';

/** A read that a replica answered, and the newest moment that it is known to show. */
export interface ReplicaReading<Row> {
  readonly rows: readonly Row[];
  readonly moment: Moment;
}

/** A replica of the database, and how far it is known to have come. */
export class Replica {
  /** Its address without the login. */
  readonly name: string;
  /**
   * The statements that it answered, and those that the primary had to answer: since the replica may not have known of a
   * change, or since it failed.
   */
  readonly counts = { answered: 0, outdated: 0, failed: 0 };
  private readonly logger = new Logger(Replica.name);
  private session: ReplicaSession | undefined;
  /** The newest moment that it is known to have replayed. */
  private replayed: Moment | undefined;
  private awaited: Moment[] = [];
  private isAsked = false;
  private timesClosed = 0;
  private reported: string | null | undefined = null;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly options: ConnectionOptions,
  ) {
    this.name = `${bracketed(address.host)}:${address.port}/${address.database}`;
  }

  get state(): ReplicaState {
    if (!this.session) return 'unavailable';
    return (this.lagMs ?? Infinity) <= MAX_LAG_MS ? 'ok' : 'behind';
  }

  /** How old its data is, at most. */
  get lagMs(): number | undefined {
    return this.replayed && performance.now() - this.replayed.at;
  }

  /** The newest moment that it is known to have replayed, while it answers reads. */
  get moment(): Moment | undefined {
    return this.state === 'ok' ? this.replayed : undefined;
  }

  /**
   * Asks it how far it has come since a moment, and connects when that is needed. Returns why it will answer no reads;
   * undefined also while that is not known.
   */
  async follow(moment: Moment): Promise<string | undefined> {
    if (this.isAsked) return undefined;
    this.isAsked = true;
    if (this.session?.identity !== moment.identity) this.close();
    const { timesClosed } = this;
    try {
      const session = this.session ?? (await ReplicaSession.open(this.address, this.options, moment.identity));
      if (timesClosed !== this.timesClosed) {
        session.close();
        return undefined;
      }
      this.session = session;
      if (this.awaited.length < MOST_AWAITED) this.awaited.push(moment);
      this.note(await session.position());
      if (this.state === 'ok') return this.report(undefined);
      const since = (this.replayed ?? this.awaited[0] ?? moment).at;
      return performance.now() - since > MAX_LAG_MS
        ? this.report(`it is more than ${MAX_LAG_MS / 1_000} s behind`)
        : undefined;
    } catch (error) {
      this.close();
      return this.report(messageOf(error));
    } finally {
      this.isAsked = false;
    }
  }

  /** Undefined after any failure, which is counted: the primary answers instead. */
  async read<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<ReplicaReading<Row> | undefined> {
    const { session, replayed: before } = this;
    try {
      const found = await session?.read(statement, values);
      if (found && this.session === session) {
        this.note(found.position);
        const moment = [this.replayed, before].find((known) => known && known.position <= found.position);
        if (moment) return { rows: found.rows, moment };
      }
    } catch (error) {
      this.logger.debug({ err: error }, `The replica ${this.name} failed`);
    }
    this.counts.failed += 1;
    return undefined;
  }

  /** Ends its connections, and with them what it has been asked. */
  close(): void {
    this.timesClosed += 1;
    this.session?.close();
    this.session = undefined;
    this.replayed = undefined;
    this.awaited = [];
  }

  private note(position: bigint): void {
    const reached = this.awaited.findLastIndex((moment) => moment.position <= position);
    if (reached === -1) return;
    this.replayed = this.awaited[reached];
    this.awaited = this.awaited.slice(reached + 1);
  }

  /** Logs each change of its state once. */
  private report(problem: string | undefined): string | undefined {
    if (problem !== this.reported) {
      if (problem === undefined) this.logger.log(`The replica ${this.name} answers reads`);
      else this.logger.warn(`The replica ${this.name} is left out, the primary answers: ${problem}`);
    }
    this.reported = problem;
    return problem;
  }
}
