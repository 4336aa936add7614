import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { MediaModule } from '../../media/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { TimelinesModule } from '../../timelines/index.js';
import { FrontendPagesModule } from '../frontends/frontend-pages.module.js';
import { PublicFeedsController } from './public-feeds.controller.js';
import { PublicFeedsService } from './public-feeds.service.js';
import { VisitorPagesService } from './visitor-pages.service.js';
import { VisitorsController } from './visitors.controller.js';
import { VisitorsService } from './visitors.service.js';

/** Pages and feeds of accounts, posts and hashtags. */
@Module({
  imports: [AccountsModule, MediaModule, StatusesModule, TimelinesModule, FrontendPagesModule],
  controllers: [PublicFeedsController, VisitorsController],
  providers: [PublicFeedsService, VisitorPagesService, VisitorsService],
  exports: [VisitorPagesService, VisitorsService],
})
export class VisitorsModule {}
