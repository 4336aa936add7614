import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { HealthRepository } from './health.repository.js';

/** Tells whether this process can do its work. */
@Injectable()
export class HealthService {
  private asking: Promise<boolean> | undefined;

  constructor(
    private readonly repository: HealthRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** Whether the database answers. Probes that come at the same time share one question, so that they never crowd it. */
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
