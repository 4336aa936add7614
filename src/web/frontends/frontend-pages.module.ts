import { Module } from '@nestjs/common';
import { InstanceModule } from '../../instance/index.js';
import { FrontendFilesController } from './frontend-files.controller.js';
import { FrontendPagesService } from './frontend-pages.service.js';
import { FrontendSwitcherController } from './frontend-switcher.controller.js';

/** Installed frontends, and files of the operator. */
@Module({
  imports: [InstanceModule],
  controllers: [FrontendSwitcherController, FrontendFilesController],
  providers: [FrontendPagesService],
  exports: [FrontendPagesService],
})
export class FrontendPagesModule {}
