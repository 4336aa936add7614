import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { AliasesController } from './aliases.controller.js';
import { AliasesService } from './aliases.service.js';
import { ImportEntry } from './import-entry.entity.js';
import { ImportsController } from './imports.controller.js';
import { ImportsJob } from './imports.job.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';

/** Data that moves: what people bring from other servers, and what they take with them. */
@Module({
  imports: [TypeOrmModule.forFeature([ImportEntry]), AccountsModule],
  controllers: [AliasesController, ImportsController],
  providers: [AliasesService, ImportsJob, ImportsRepository, ImportsService],
})
export class PortabilityModule {}
