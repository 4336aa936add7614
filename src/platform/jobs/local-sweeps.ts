import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { JobRegistry } from './job-registry.js';

/** Soon after the start, for what the process missed while it was away. */
const FIRST_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Runs the sweeps of this machine's folders. Uses timers, since a recurring job runs in one process only: with files in a bucket
 * each process may have a `DATA_DIR` of its own.
 */
@Injectable()
export class LocalSweeps implements OnModuleDestroy {
  private readonly logger = new Logger(LocalSweeps.name);
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly registry: JobRegistry) {}

  /** Sweeps in a minute and daily, until the application closes. */
  start(): void {
    const sweep = () => void this.run();
    this.timers = [setTimeout(sweep, FIRST_MS).unref(), setInterval(sweep, DAY_MS).unref()];
  }

  onModuleDestroy(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** Runs all sweeps, one after the other. Logs the failure of one and goes on. */
  async run(): Promise<void> {
    for (const sweep of this.registry.sweeps()) {
      try {
        await sweep();
      } catch (error) {
        this.logger.warn({ err: error }, 'A folder was not swept');
      }
    }
  }
}
