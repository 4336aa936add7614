import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { OauthModule } from '../oauth/index.js';
import { BrowserSessions } from './browser/browser-sessions.js';
import { StartLink } from './browser/start-link.js';
import { StartLinkController } from './browser/start-link.controller.js';
import { SignInController } from './browser/sign-in.controller.js';
import { CaptchaController } from './captcha/captcha.controller.js';
import { CaptchaRepository } from './captcha/captcha.repository.js';
import { CaptchaService } from './captcha/captcha.service.js';
import { OwnAccountController } from './deletion/own-account.controller.js';
import { OwnAccountService } from './deletion/own-account.service.js';
import { CredentialAttempts } from './guessing/credential-attempts.js';
import { GuessingNoticeService } from './guessing/guessing-notice.service.js';
import { KnownNetworksRepository } from './guessing/known-networks.repository.js';
import { KnownNetworksService } from './guessing/known-networks.service.js';
import { PasswordCheckService } from './guessing/password-check.service.js';
import { InvitesRepository } from './invites/invites.repository.js';
import { InvitesService } from './invites/invites.service.js';
import { CodeGuesses } from './mfa/code-guesses.js';
import { MfaChallenges } from './mfa/mfa-challenges.js';
import { MfaChallengesRepository } from './mfa/mfa-challenges.repository.js';
import { MfaNoticesService } from './mfa/mfa-notices.service.js';
import { MfaController } from './mfa/mfa.controller.js';
import { MfaRepository } from './mfa/mfa.repository.js';
import { MfaService } from './mfa/mfa.service.js';
import { LetterPages } from './pages/letter-pages.js';
import { ConfirmationPagesController } from './browser/confirmation-pages.controller.js';
import {
  ConfirmationLinkController,
  ConfirmationResendController,
  EmailsController,
} from './registration/confirmations.controller.js';
import { ConfirmationsRepository } from './registration/confirmations.repository.js';
import { ConfirmationsService } from './registration/confirmations.service.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';
import { OwnSecurityController } from './security/own-security.controller.js';
import { OwnSecurityService } from './security/own-security.service.js';
import { PasswordResetController, ResetRequestController } from './security/password-resets.controller.js';
import { PasswordResetsRepository } from './reset-links/password-resets.repository.js';
import { PasswordResetsService } from './security/password-resets.service.js';
import { PasswordsService } from './security/passwords.service.js';
import { UnsubscribeController } from './security/unsubscribe.controller.js';
import { UnsubscribeService } from './security/unsubscribe.service.js';
import { OwnAppsController, SessionsController } from './sessions/sessions.controller.js';

/** Registration, passwords, second factors, and the sessions of the pages. */
@Module({
  imports: [AccountsModule, OauthModule],
  controllers: [
    SignInController,
    StartLinkController,
    OwnAppsController,
    OwnSecurityController,
    SessionsController,
    RegistrationController,
    ConfirmationResendController,
    ConfirmationLinkController,
    ConfirmationPagesController,
    EmailsController,
    CaptchaController,
    OwnAccountController,
    ResetRequestController,
    UnsubscribeController,
    PasswordResetController,
    MfaController,
  ],
  providers: [
    LetterPages,
    StartLink,
    BrowserSessions,
    OwnSecurityService,
    PasswordsService,
    PasswordResetsRepository,
    PasswordResetsService,
    UnsubscribeService,
    InvitesRepository,
    InvitesService,
    RegistrationService,
    ConfirmationsRepository,
    ConfirmationsService,
    CaptchaRepository,
    CaptchaService,
    CredentialAttempts,
    KnownNetworksRepository,
    KnownNetworksService,
    GuessingNoticeService,
    PasswordCheckService,
    CodeGuesses,
    MfaChallenges,
    MfaChallengesRepository,
    MfaNoticesService,
    MfaRepository,
    MfaService,
    OwnAccountService,
  ],
  exports: [
    LetterPages,
    StartLink,
    UnsubscribeService,
    OwnSecurityService,
    CredentialAttempts,
    OwnAccountService,
    BrowserSessions,
    CaptchaService,
    InvitesService,
    RegistrationService,
    ConfirmationsService,
    PasswordsService,
    PasswordResetsService,
    MfaService,
    PasswordCheckService,
    MfaChallenges,
  ],
})
export class SignInModule {}
