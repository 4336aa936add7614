import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobRegistry } from './job-registry.js';
import { JobRow } from './job.entity.js';
import { JobRepository } from './job.repository.js';
import { Events, Jobs } from './jobs.js';
import { JobUpkeep } from './upkeep.job.js';
import { Worker } from './worker.js';

/** Work after the answer: jobs, events and the worker that runs them. */
@Global()
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([JobRow])],
  providers: [JobRegistry, JobRepository, Jobs, Events, Worker, JobUpkeep],
  exports: [JobRegistry, JobRepository, Jobs, Events, Worker],
})
export class JobsModule {}
