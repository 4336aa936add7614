import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Database } from '../database/database.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { HttpAdapter } from '../http/http-server.js';
import { queueNames } from '../jobs/job.js';
import { JobRepository, type QueueCount } from '../jobs/job.repository.js';
import type { Replica } from '../replicas/replica.js';
import { Replicas } from '../replicas/replicas.js';
import { RedisConnections } from '../redis/redis.js';
import { type LabelledValues, Metrics } from './metrics.js';

/** The name of the one pool of connections to the database, for the label `pool`. */
const MAIN_POOL = 'main';

const MS_PER_SECOND = 1_000;

const OUTCOMES = {
  answered: 'Statements that the replica answered',
  outdated: 'Statements for the replica that the primary answered, since the replica may have lacked a change',
  failed: 'Statements for the replica that the primary answered after a failure',
} as const;

const isUsable = ({ state }: Replica) => Number(state === 'ok');

/**
 * Adds to the metrics what a process works with: requests and connections of clients, connections to the
 * database and to Redis, and the jobs.
 */
@Injectable()
export class ServerMetrics implements OnModuleInit {
  private counting: Promise<QueueCount[]> | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly http: HttpAdapterHost,
    private readonly db: Database,
    private readonly jobs: JobRepository,
    private readonly uow: UnitOfWork,
    private readonly replicas: Replicas,
    @Inject(RedisConnections) private readonly redis: RedisConnections | null,
  ) {}

  onModuleInit(): void {
    this.measureGate();
    this.measureConnections();
    this.measureJobs();
    if (this.replicas.used.length > 0) this.measureReplicas();
    const { metrics, redis } = this;
    if (redis) metrics.gauge('svc_redis_connected', 'Whether Redis can be used: 1 or 0', () => Number(redis.isReady));
  }

  private measureGate(): void {
    const { metrics } = this;
    const load = () => (this.http.httpAdapter as HttpAdapter).http.gate.load;
    metrics.gauges('svc_http_requests', 'Requests in work, slow, or waiting until there is room', 'state', () => {
      const { working, slow, queued } = load();
      return { working, slow, queued };
    });
    metrics.total('svc_http_refused_total', 'Requests refused since there was no room', () => load().refused);
    metrics.gauge(
      'svc_http_unsent_bytes',
      'Bytes of answers and live streams that clients have not read',
      () => load().unsentBytes,
    );
  }

  private measureConnections(): void {
    const { metrics, db } = this;
    metrics.gauge('svc_http_connections', 'Open connections of clients, WebSockets included', () =>
      this.httpConnections(),
    );
    const pool = (name: string, help: string, read: () => number) =>
      metrics.gauges(`svc_db_pool_${name}`, help, 'pool', () => ({ [MAIN_POOL]: read() }));
    pool('max_connections', 'Most connections to the database', () => db.pool.options.max);
    pool('connections', 'Open connections to the database', () => db.pool.totalCount);
    pool('idle_connections', 'Unused connections to the database', () => db.pool.idleCount);
    pool('waiting_requests', 'Callers that wait for a connection to the database', () => db.pool.waitingCount);
  }

  /** Replicas have the numbers of their order in the setting: names of hosts are nobody else's business. */
  private measureReplicas(): void {
    const { metrics, replicas } = this;
    const each = (read: (replica: Replica) => number | undefined) => () =>
      Object.fromEntries(
        replicas.used.flatMap((replica, index) => {
          const value = read(replica);
          return value === undefined ? [] : [[String(index + 1), value] as const];
        }),
      );
    metrics.gauges('svc_db_replica_usable', 'Whether the replica answers reads: 1 or 0', 'replica', each(isUsable));
    metrics.gauges(
      'svc_db_replica_lag_seconds',
      'How old the data of the replica is at most; none while it cannot be asked',
      'replica',
      each(({ lagMs }) => lagMs && lagMs / MS_PER_SECOND),
    );
    for (const [outcome, help] of Object.entries(OUTCOMES)) {
      const read = each(({ counts }) => counts[outcome as keyof typeof OUTCOMES]);
      metrics.totals(`svc_db_replica_${outcome}_total`, help, 'replica', read);
    }
  }

  private measureJobs(): void {
    const { metrics } = this;
    metrics.gauges('svc_jobs_due', 'Jobs that should run now, of all processes', 'queue', () =>
      this.jobsBy(({ due }) => due),
    );
    metrics.gauges('svc_jobs_failed', 'Jobs that failed for good and wait for the operator', 'queue', () =>
      this.jobsBy(({ failed }) => failed),
    );
  }

  private async httpConnections(): Promise<number> {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return promisify(server.getConnections.bind(server))();
  }

  /** A number for each queue. Readings at the same time share one statement. */
  private async jobsBy(figure: (count: QueueCount) => number): Promise<LabelledValues> {
    this.counting ??= this.uow.outside(() => this.jobs.counts()).finally(() => (this.counting = undefined));
    const counts = await this.counting;
    const none = queueNames().map((queue) => [queue, 0] as const);
    return Object.fromEntries([...none, ...counts.map((count) => [count.queue, figure(count)] as const)]);
  }
}
