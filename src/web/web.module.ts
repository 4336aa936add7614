import { Module } from '@nestjs/common';
import { InstanceModule } from '../instance/index.js';
import { LandingController } from './landing.controller.js';
import { LandingService } from './landing.service.js';
import { PageFilesController } from './page-files.controller.js';

/** The pages that people see without signing in, and the files that every page needs. */
@Module({
  imports: [InstanceModule],
  controllers: [LandingController, PageFilesController],
  providers: [LandingService],
})
export class WebModule {}
