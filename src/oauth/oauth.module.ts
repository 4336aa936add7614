import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AppTokensService } from './grants/app-tokens.service.js';
import { AppsController } from './apps/apps.controller.js';
import { AppsRepository } from './apps/apps.repository.js';
import { AppsService } from './apps/apps.service.js';
import { ManagedAppsRepository } from './apps/managed-apps.repository.js';
import { ManagedAppsService } from './apps/managed-apps.service.js';
import { AuthResolver } from './guards/auth-resolver.js';
import {
  ConfirmationLinkController,
  ConfirmationResendController,
  EmailsController,
} from './registration/confirmations.controller.js';
import { ConfirmationsJobs } from './registration/confirmations.jobs.js';
import { ConfirmationsRepository } from './registration/confirmations.repository.js';
import { ConfirmationsService } from './registration/confirmations.service.js';
import { AuthorizationsService } from './authorize/authorizations.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { BrowserSessions } from './browser/browser-sessions.js';
import { SignInController } from './browser/sign-in.controller.js';
import { CaptchaController } from './captcha/captcha.controller.js';
import { CaptchaJobs } from './captcha/captcha.jobs.js';
import { CaptchaRepository } from './captcha/captcha.repository.js';
import { CaptchaService } from './captcha/captcha.service.js';
import { CredentialAttempts } from './model/credential-attempts.js';
import { StaffRights } from './model/staff-rights.js';
import { OwnAccountController } from './deletion/own-account.controller.js';
import { OwnAccountJobs } from './deletion/own-account.jobs.js';
import { OwnAccountService } from './deletion/own-account.service.js';
import { GrantsService } from './grants/grants.service.js';
import { GuessingJobs } from './guessing/guessing.jobs.js';
import { GuessingNoticeService } from './guessing/guessing-notice.service.js';
import { KnownNetworksRepository } from './guessing/known-networks.repository.js';
import { KnownNetworksService } from './guessing/known-networks.service.js';
import { PasswordCheckService } from './guessing/password-check.service.js';
import { AdminGuard, AuthGuard, FailedCredentialsGuard, ScopesGuard } from './guards/guards.js';
import { InvitesJobs } from './invites/invites.jobs.js';
import { InvitesRepository } from './invites/invites.repository.js';
import { InvitesService } from './invites/invites.service.js';
import { OauthController } from './grants/oauth.controller.js';
import { UserinfoController } from './grants/userinfo.controller.js';
import { CodeGuesses } from './mfa/code-guesses.js';
import { MfaChallenges } from './mfa/mfa-challenges.js';
import { MfaChallengesRepository } from './mfa/mfa-challenges.repository.js';
import { MfaController } from './mfa/mfa.controller.js';
import { MfaJobs } from './mfa/mfa.jobs.js';
import { MfaNoticesService } from './mfa/mfa-notices.service.js';
import { MfaRepository } from './mfa/mfa.repository.js';
import { MfaService } from './mfa/mfa.service.js';
import { MfaChallengeController } from './grants/mfa-challenge.controller.js';
import { OauthJobs } from './tokens/oauth.jobs.js';
import { OwnSecurityController } from './security/own-security.controller.js';
import { OwnSecurityService } from './security/own-security.service.js';
import { OwnAppsController, SessionsController } from './sessions/sessions.controller.js';
import { PasswordResetController, ResetRequestController } from './security/password-resets.controller.js';
import { PasswordResetsJobs } from './security/password-resets.jobs.js';
import { PasswordResetsRepository } from './security/password-resets.repository.js';
import { PasswordResetsService } from './security/password-resets.service.js';
import { UnsubscribeController } from './security/unsubscribe.controller.js';
import { UnsubscribeService } from './security/unsubscribe.service.js';
import { PasswordsService } from './security/passwords.service.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';
import { CodesRepository } from './tokens/codes.repository.js';
import { CodesService } from './tokens/codes.service.js';
import { TokensRepository } from './tokens/tokens.repository.js';
import { ResolvedTokens } from './tokens/resolved-tokens.js';
import { TokensService } from './tokens/tokens.service.js';

const GUARDS = [FailedCredentialsGuard, AuthGuard, ScopesGuard, AdminGuard];

/** Identity and access: apps, tokens, registration and sign-in. The application's module makes its guards global. */
@Module({
  imports: [AccountsModule],
  controllers: [
    OauthController,
    UserinfoController,
    AuthorizeController,
    SignInController,
    OwnAppsController,
    OwnSecurityController,
    SessionsController,
    MfaChallengeController,
    AppsController,
    RegistrationController,
    ConfirmationResendController,
    ConfirmationLinkController,
    EmailsController,
    CaptchaController,
    OwnAccountController,
    ResetRequestController,
    UnsubscribeController,
    PasswordResetController,
    MfaController,
  ],
  providers: [
    AppsRepository,
    AppsService,
    ManagedAppsRepository,
    ManagedAppsService,
    AuthorizationsService,
    BrowserSessions,
    AppTokensService,
    CodesRepository,
    CodesService,
    TokensRepository,
    ResolvedTokens,
    TokensService,
    GrantsService,
    OwnSecurityService,
    PasswordsService,
    PasswordResetsJobs,
    PasswordResetsRepository,
    PasswordResetsService,
    UnsubscribeService,
    InvitesJobs,
    InvitesRepository,
    InvitesService,
    RegistrationService,
    ConfirmationsJobs,
    ConfirmationsRepository,
    ConfirmationsService,
    CaptchaJobs,
    CaptchaRepository,
    CaptchaService,
    CredentialAttempts,
    StaffRights,
    KnownNetworksRepository,
    KnownNetworksService,
    GuessingNoticeService,
    GuessingJobs,
    PasswordCheckService,
    CodeGuesses,
    MfaChallenges,
    MfaChallengesRepository,
    MfaJobs,
    MfaNoticesService,
    MfaRepository,
    MfaService,
    AuthResolver,
    OauthJobs,
    OwnAccountJobs,
    OwnAccountService,
    ...GUARDS,
  ],
  exports: [
    UnsubscribeService,
    OwnSecurityService,
    CredentialAttempts,
    StaffRights,
    OwnAccountService,
    BrowserSessions,
    CaptchaService,
    InvitesService,
    RegistrationService,
    TokensService,
    AppsService,
    ManagedAppsService,
    ConfirmationsService,
    PasswordsService,
    PasswordResetsService,
    MfaService,
    ...GUARDS,
  ],
})
export class OauthModule {}
