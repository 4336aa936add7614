import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AppTokensService } from './app-tokens.service.js';
import { AppsController } from './apps.controller.js';
import { AppsRepository } from './apps.repository.js';
import { AppsService } from './apps.service.js';
import { AuthResolver } from './auth-resolver.js';
import { ConfirmationLinkController, ConfirmationResendController } from './confirmations.controller.js';
import { ConfirmationsJob } from './confirmations.job.js';
import { ConfirmationsRepository } from './confirmations.repository.js';
import { ConfirmationsService } from './confirmations.service.js';
import { CaptchaController } from './captcha/captcha.controller.js';
import { CaptchaRepository } from './captcha/captcha.repository.js';
import { CaptchaService } from './captcha/captcha.service.js';
import { CredentialAttempts } from './credential-attempts.js';
import { OwnAccountController } from './deletion/own-account.controller.js';
import { OwnAccountJobs } from './deletion/own-account.jobs.js';
import { OwnAccountService } from './deletion/own-account.service.js';
import { GrantsService } from './grants.service.js';
import { GuessingJobs } from './guessing/guessing.jobs.js';
import { GuessingNoticeService } from './guessing/guessing-notice.service.js';
import { KnownNetworksRepository } from './guessing/known-networks.repository.js';
import { KnownNetworksService } from './guessing/known-networks.service.js';
import { PasswordCheckService } from './guessing/password-check.service.js';
import { AdminGuard, AuthGuard, FailedCredentialsGuard, ScopesGuard } from './guards.js';
import { OauthController } from './oauth.controller.js';
import { OauthUpkeep } from './oauth.job.js';
import { PasswordsService } from './passwords.service.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';
import { TokensRepository } from './tokens.repository.js';
import { TokensService } from './tokens.service.js';

const GUARDS = [FailedCredentialsGuard, AuthGuard, ScopesGuard, AdminGuard];

/** Identity and access: apps, tokens, signing up and in. Its guards are made global by the application's module. */
@Module({
  imports: [AccountsModule],
  controllers: [
    OauthController,
    AppsController,
    RegistrationController,
    ConfirmationResendController,
    ConfirmationLinkController,
    CaptchaController,
    OwnAccountController,
  ],
  providers: [
    AppsRepository,
    AppsService,
    AppTokensService,
    TokensRepository,
    TokensService,
    GrantsService,
    PasswordsService,
    RegistrationService,
    ConfirmationsJob,
    ConfirmationsRepository,
    ConfirmationsService,
    CaptchaRepository,
    CaptchaService,
    CredentialAttempts,
    KnownNetworksRepository,
    KnownNetworksService,
    GuessingNoticeService,
    GuessingJobs,
    PasswordCheckService,
    AuthResolver,
    OauthUpkeep,
    OwnAccountJobs,
    OwnAccountService,
    ...GUARDS,
  ],
  exports: [TokensService, AppsService, ConfirmationsService, PasswordsService, PasswordCheckService, ...GUARDS],
})
export class OauthModule {}
