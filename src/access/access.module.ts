import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { OauthModule } from '../oauth/index.js';
import { SignInModule } from '../sign-in/index.js';
import { AuthorizationsService } from './authorize/authorizations.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AppTokensService } from './grants/app-tokens.service.js';
import { GrantsService } from './grants/grants.service.js';
import { MfaChallengeController } from './grants/mfa-challenge.controller.js';
import { OauthController } from './grants/oauth.controller.js';
import { UserinfoController } from './grants/userinfo.controller.js';
import { AuthResolver } from './guards/auth-resolver.js';
import { AdminGuard, AuthGuard, FailedCredentialsGuard, ScopesGuard, SlowBodyGuard } from './guards/guards.js';
import { StaffRights } from './guards/staff-rights.js';

const GUARDS = [FailedCredentialsGuard, AuthGuard, ScopesGuard, AdminGuard, SlowBodyGuard];

/** Issues tokens and checks them: the endpoints of OAuth, and the guards that the application makes global. */
@Module({
  imports: [AccountsModule, OauthModule, SignInModule],
  controllers: [OauthController, UserinfoController, AuthorizeController, MfaChallengeController],
  providers: [AuthorizationsService, AppTokensService, GrantsService, StaffRights, AuthResolver, ...GUARDS],
  exports: [StaffRights, ...GUARDS],
})
export class AccessModule {}
