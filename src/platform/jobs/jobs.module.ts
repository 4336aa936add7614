import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Env } from '../env/env.js';
import { JobCarrier } from './carrier.js';
import { JobRegistry } from './job-registry.js';
import { JobRepository } from './job.repository.js';
import { JobRunner } from './job-runner.js';
import { Events, Jobs } from './jobs.js';
import { LocalSweeps } from './local-sweeps.js';
import { Worker } from './worker.js';

/** Work after the answer: jobs, events and the worker that runs them. */
@Global()
@Module({})
export class JobsModule {
  static register({ redisUrl, role }: Env): DynamicModule {
    const alone = redisUrl === undefined;
    return {
      module: JobsModule,
      imports: [DiscoveryModule, ...(alone ? [] : [bullCarrier(role !== 'web')])],
      providers: [
        ...(alone ? [JobCarrier] : []),
        JobRegistry,
        JobRepository,
        JobRunner,
        Jobs,
        Events,
        LocalSweeps,
        Worker,
      ],
      exports: [JobRegistry, JobRepository, Jobs, Events, LocalSweeps, Worker],
    };
  }
}

/** Bull is loaded only where it is used: it is 8 MB of memory. */
async function bullCarrier(works: boolean): Promise<DynamicModule> {
  const { BullCarrierModule } = await import('./bull.carrier.js');
  return BullCarrierModule.register(works);
}
