import { Logger } from '@nestjs/common';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Keeps something in memory in step with what is stored. It is read one time after the other, so that an older answer never
 * replaces a newer one; once it was read, a time that fails is made up for until one succeeds, as nobody says twice that
 * something has changed.
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

  /** Reads it again; rejects when this time fails, whatever comes of the next. */
  now(): Promise<void> {
    this.latest = this.latest.catch(() => undefined).then(() => this.attempt());
    return this.latest;
  }

  /** Resolves when all of what was asked for so far is read. */
  settled(): Promise<void> {
    return this.latest;
  }

  /** From now on nothing is read, also of what was asked for before: what it is read from goes too. */
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
