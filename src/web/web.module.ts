import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { FederationModule } from '../federation/index.js';
import { InstanceModule } from '../instance/index.js';
import { MediaModule } from '../media/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { OauthModule } from '../oauth/index.js';
import { PortabilityModule } from '../portability/index.js';
import { SignInModule } from '../sign-in/index.js';
import { TimelinesModule } from '../timelines/index.js';
import { AboutController } from './landing/about.controller.js';
import { LandingController } from './landing/landing.controller.js';
import { LandingService } from './landing/landing.service.js';
import { PageFilesController } from './page-files.controller.js';
import { DataPagesController } from './account/data-pages.controller.js';
import { FilterPagesController } from './account/filter-pages.controller.js';
import { PreferencesPagesController } from './account/preferences.controller.js';
import { ProfileSettingsController } from './account/profile-settings.controller.js';
import { RelationsController } from './account/relations.controller.js';
import { SecurityPagesController } from './account/security-pages.controller.js';
import { SignUpController } from './account/sign-up.controller.js';
import { AppPagesModule } from './app/app-pages.module.js';
import { PartsController } from './examples/parts.controller.js';
import { FrameModule } from './frame/frame.module.js';
import { StaffPagesModule } from './staff/staff-pages.module.js';
import { FrontendPagesModule } from './frontends/frontend-pages.module.js';
import { UnknownPathsModule } from './unknown-paths/unknown-paths.module.js';
import { VisitorsModule } from './visitors/visitors.module.js';
import { FrontendConfigurationsController, SiteFilesController } from './site-files.controller.js';

/** Pages and feeds for visitors who do not sign in, and the files of all pages. */
@Module({
  imports: [
    AccountsModule,
    FederationModule,
    InstanceModule,
    MediaModule,
    NotificationsModule,
    OauthModule,
    PortabilityModule,
    SignInModule,
    TimelinesModule,
    FrameModule,
    AppPagesModule,
    StaffPagesModule,
    FrontendPagesModule,
    VisitorsModule,
    UnknownPathsModule,
  ],
  controllers: [
    DataPagesController,
    FilterPagesController,
    PreferencesPagesController,
    ProfileSettingsController,
    RelationsController,
    SecurityPagesController,
    SignUpController,
    LandingController,
    AboutController,
    PartsController,
    PageFilesController,
    FrontendConfigurationsController,
    SiteFilesController,
  ],
  providers: [LandingService],
})
export class WebModule {}
