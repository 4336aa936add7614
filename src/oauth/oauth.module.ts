import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AppsController } from './apps/apps.controller.js';
import { AppsRepository } from './apps/apps.repository.js';
import { AppsService } from './apps/apps.service.js';
import { ManagedAppsRepository } from './apps/managed-apps.repository.js';
import { ManagedAppsService } from './apps/managed-apps.service.js';
import { CodesRepository } from './tokens/codes.repository.js';
import { CodesService } from './tokens/codes.service.js';
import { OauthJobs } from './tokens/oauth.jobs.js';
import { ResolvedTokens } from './tokens/resolved-tokens.js';
import { TokensRepository } from './tokens/tokens.repository.js';
import { TokensService } from './tokens/tokens.service.js';

/** Apps, their tokens and codes. */
@Module({
  imports: [AccountsModule],
  controllers: [AppsController],
  providers: [
    AppsRepository,
    AppsService,
    ManagedAppsRepository,
    ManagedAppsService,
    CodesRepository,
    CodesService,
    TokensRepository,
    ResolvedTokens,
    TokensService,
    OauthJobs,
  ],
  exports: [TokensService, AppsService, ManagedAppsService, CodesService],
})
export class OauthModule {}
