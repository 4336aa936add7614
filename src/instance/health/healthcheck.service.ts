import { Injectable } from '@nestjs/common';
import { Draining, JobRepository, UnitOfWork } from '../../platform/index.js';
import { HealthRepository } from './health.repository.js';
import type { Healthcheck } from './healthcheck.shape.js';

/** The check is public, so the jobs are counted once per interval. */
const KEPT_MS = 5_000;
const BYTES_PER_MB = 1_000_000;

/** Checks this process and its dependencies (spec §2.6). */
@Injectable()
export class HealthcheckService {
  private stats: Promise<Healthcheck['job_queue_stats'] | undefined> | undefined;
  private keptUntil = 0;

  constructor(
    private readonly repository: HealthRepository,
    private readonly jobs: JobRepository,
    private readonly draining: Draining,
    private readonly uow: UnitOfWork,
  ) {}

  /** Healthy while the database responds and the process is not shutting down. */
  async examine(): Promise<Healthcheck> {
    const stats = await this.jobStats();
    return {
      ...this.repository.pool(),
      memory_used: Math.round(process.memoryUsage.rss() / BYTES_PER_MB),
      job_queue_stats: stats ?? {},
      healthy: stats !== undefined && !this.draining.hasBegun,
    };
  }

  /** Undefined when the database does not respond. */
  private jobStats(): Promise<Healthcheck['job_queue_stats'] | undefined> {
    if (this.stats && performance.now() < this.keptUntil) return this.stats;
    this.keptUntil = performance.now() + KEPT_MS;
    this.stats = this.uow
      .outside(() => this.jobs.counts())
      .then(
        (rows) =>
          Object.fromEntries(rows.map(({ queue, failed, ...counts }) => [queue, { ...counts, parked: failed }])),
        () => undefined,
      );
    return this.stats;
  }
}
