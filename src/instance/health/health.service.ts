import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { HealthRepository } from './health.repository.js';

/** Reports whether this process can work. */
@Injectable()
export class HealthService {
  private asking: Promise<boolean> | undefined;

  constructor(
    private readonly repository: HealthRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** Whether the database responds. Concurrent probes share one query, so that they never crowd it. */
  isReady(): Promise<boolean> {
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private ask(): Promise<boolean> {
    return this.uow
      .outside(() => this.repository.ping())
      .then(
        () => true,
        () => false,
      );
  }
}
