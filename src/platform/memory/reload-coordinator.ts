import { Logger } from '@nestjs/common';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Keeps a value in memory in step with its stored form. Reads run one after the other, so that an older answer never
 * replaces a newer one. After the first success a failed read is repeated until one succeeds, because a change is
 * announced only once.
 */
export class ReloadCoordinator {
  private readonly logger = new Logger(ReloadCoordinator.name);
  private latest: Promise<void> = Promise.resolve();
  private hasRead = false;
  private isStopped = false;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly what: string,
    private readonly read: () => Promise<void>,
  ) {}

  /** Reads the value again; rejects when this read fails, even if a later one succeeds. */
  now(): Promise<void> {
    this.latest = this.latest.catch(() => undefined).then(() => this.attempt());
    return this.latest;
  }

  /** Resolves when all requested reads are done. */
  settled(): Promise<void> {
    return this.latest;
  }

  /** Stops all reads, also requested ones, because their source closes too. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async attempt(): Promise<void> {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    try {
      await this.read();
      this.hasRead = true;
      this.failures = 0;
    } catch (error) {
      this.retryLater();
      throw error;
    }
  }

  private retryLater(): void {
    if (this.isStopped || !this.hasRead) return;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LONGEST_RETRY_MS);
    this.failures += 1;
    this.timer = setTimeout(() => void this.retry(), waitMs).unref();
  }

  private async retry(): Promise<void> {
    try {
      await this.now();
    } catch (error) {
      this.logger.warn({ err: error }, `${this.what} could not be read again`);
    }
  }
}
