import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { boundLog, logFileIn } from './embedded/embedded-log.js';
import { ENV, type Env } from './env/env.js';
import { SweepsHere } from './jobs/handlers.js';

/** Shortens the log of the bundled PostgreSQL, where there is one: it runs for months. */
@Injectable()
export class EmbeddedLogSweep {
  constructor(@Inject(ENV) private readonly env: Pick<Env, 'dataDir'>) {}

  @SweepsHere()
  sweep(): Promise<void> {
    return boundLog(logFileIn(join(this.env.dataDir, 'postgres')));
  }
}
