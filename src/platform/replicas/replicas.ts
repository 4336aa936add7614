import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ChangeLog } from '../database/change-log.js';
import { Database, type ReplicaReader } from '../database/database.js';
import type { Statement } from '../database/sql.js';
import { ENV, type Env } from '../env/env.js';
import { runApart } from '../tracing/work.js';
import { type Moment, Replica } from './replica.js';
import type { ConnectionOptions } from './replica-session.js';
import { currentPosition, type PositionRow } from './replication.sql.js';

/** How often replicas are asked how far they have come: always, while they are read, and while they cannot be read. */
const POLL_MS = 2_000;
const READ_POLL_MS = 250;
const RETRY_POLL_MS = 50;
/** How often an examined one is asked until it has come as far as the primary was. */
const EXAMINE_MS = 200;

/**
 * Reads from replicas (docs/adr/0035). An answer of a replica is used by the rule of values in memory: only while nothing
 * that it was read from has changed since the newest moment that the replica is known to have replayed.
 */
@Injectable()
export class Replicas implements ReplicaReader, OnApplicationBootstrap, OnApplicationShutdown {
  /** In the order of the setting. */
  readonly all: readonly Replica[];
  /** Those that the process reads from: all, or none in a worker, whose jobs read little for lists. */
  readonly used: readonly Replica[];
  /** Null in a process that is no server. */
  private readonly changes: ChangeLog | null;
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;
  private askedAt = -Infinity;
  private isSampling = false;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly db: Database,
    @Inject(ENV) { role, databaseReplicas }: Pick<Env, 'role' | 'databaseReplicas'>,
  ) {
    const options = dataSource.options.extra as ConnectionOptions;
    this.changes = options.changes;
    this.all = databaseReplicas.map((address) => new Replica(address, options));
    this.used = role === 'worker' ? [] : this.all;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.changes || this.used.length === 0) return;
    this.timer = setInterval(() => void this.follow(), POLL_MS).unref();
    await this.follow();
    this.db.replicas = this;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const replica of this.all) replica.close();
  }

  /** What is wrong with them, for a command of the operator. */
  async problems(): Promise<string[]> {
    if (this.all.length === 0) return [];
    const moment = await this.sample();
    const examine = async (replica: Replica): Promise<string[]> => {
      let problem = await replica.follow(moment);
      while (problem === undefined && replica.state !== 'ok') {
        await delay(EXAMINE_MS);
        problem = await replica.follow(moment);
      }
      replica.close();
      return problem === undefined ? [] : [`${replica.name}: ${problem}`];
    };
    return (await Promise.all(this.all.map(examine))).flat();
  }

  /** The rows of a statement by a replica; undefined when the primary has to answer. Not inside a unit of work. */
  async rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[] | undefined> {
    const { changes } = this;
    const replica = this.next();
    const moment = replica?.moment;
    if (!changes?.isComplete() || !replica || !moment) return undefined;
    this.followUnlessWithin(READ_POLL_MS);
    const isCurrent = (rows: readonly Row[], { clock }: Moment) =>
      changes.isCurrent(statement.subjects?.(values, rows) ?? [], clock);
    const reading = isCurrent([], moment) ? await replica.read(statement, values) : { rows: [], moment };
    if (reading && isCurrent(reading.rows, reading.moment)) {
      replica.counts.answered += 1;
      return reading.rows;
    }
    if (reading) replica.counts.outdated += 1;
    this.followUnlessWithin(RETRY_POLL_MS);
    return undefined;
  }

  /** The next one in turn that answers reads. */
  private next(): Replica | undefined {
    const usable = this.used.filter(({ state }) => state === 'ok');
    this.turn += 1;
    return usable[this.turn % usable.length];
  }

  private followUnlessWithin(ms: number): void {
    if (performance.now() - this.askedAt >= ms) void runApart(() => this.follow());
  }

  /** While the primary does not answer, what is known of the replicas grows old. */
  private async follow(): Promise<void> {
    if (this.isSampling) return; // for a connection, when all are in use
    this.isSampling = true;
    this.askedAt = performance.now();
    const moment = await this.sample().catch(() => undefined);
    this.isSampling = false;
    if (moment && this.timer) await Promise.all(this.used.map((replica) => replica.follow(moment)));
  }

  /** The moment at which the primary is now. The clock is read first: what it counts later may stand behind the position. */
  private async sample(): Promise<Moment> {
    const [clock, at] = [this.changes?.now ?? 0, performance.now()];
    const { name, text } = currentPosition;
    const [row] = (await this.db.pool.query<PositionRow>({ name, text })).rows;
    if (!row) throw new Error('The primary shows no position');
    return { clock, at, position: BigInt(row.position), identity: row.identity };
  }
}
