import { Injectable } from '@nestjs/common';
import { Handles, Recurs } from '../../platform/index.js';
import { ImportsService, WorkOffImports } from './imports.service.js';

const EVERY_MINUTES = 10;

/** Processes imported lists. */
@Injectable()
export class ImportsJobs {
  constructor(private readonly imports: ImportsService) {}

  @Handles(WorkOffImports)
  async workOff({ accountId }: { accountId: string }): Promise<void> {
    await this.imports.workOff(accountId);
  }

  @Recurs({ job: 'portability.resume-imports', everyMinutes: EVERY_MINUTES })
  async resume(): Promise<void> {
    await this.imports.resume();
  }
}
