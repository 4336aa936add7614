import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { InstanceModule } from '../instance/index.js';
import { MediaModule } from '../media/index.js';
import { OauthModule } from '../oauth/index.js';
import { PortabilityModule } from '../portability/index.js';
import { StatusesModule } from '../statuses/index.js';
import { TimelinesModule } from '../timelines/index.js';
import { PublicFeedsController } from './public-feeds.controller.js';
import { PublicFeedsService } from './public-feeds.service.js';
import { LandingController } from './landing/landing.controller.js';
import { LandingService } from './landing/landing.service.js';
import { PageFilesController } from './page-files.controller.js';
import { AccountFrame } from './account/account-frame.js';
import { DataPagesController } from './account/data-pages.controller.js';
import { SecurityPagesController } from './account/security-pages.controller.js';
import { SignUpController } from './account/sign-up.controller.js';
import { FrontendConfigurationsController, SiteFilesController } from './site-files.controller.js';
import { VisitorsController } from './visitors.controller.js';
import { VisitorsService } from './visitors.service.js';

/** Pages and feeds for visitors who do not sign in, and the files of all pages. */
@Module({
  imports: [
    AccountsModule,
    InstanceModule,
    MediaModule,
    OauthModule,
    PortabilityModule,
    StatusesModule,
    TimelinesModule,
  ],
  controllers: [
    DataPagesController,
    SecurityPagesController,
    SignUpController,
    LandingController,
    PublicFeedsController,
    VisitorsController,
    PageFilesController,
    FrontendConfigurationsController,
    SiteFilesController,
  ],
  providers: [AccountFrame, PublicFeedsService, LandingService, VisitorsService],
})
export class WebModule {}
