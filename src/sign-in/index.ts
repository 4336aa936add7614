export { type BrowserSession, BrowserSessions, type NextStep } from './browser/browser-sessions.js';
export { isForeign, mayUseCookie } from './browser/same-origin.js';
export { sessionCookieOf, setSessionCookie } from './browser/session-cookie.js';
export { StartLink } from './browser/start-link.js';
export { ownPath } from './browser/sign-in.controller.js';
export {
  AUTHORIZE_PATH,
  type CodeNeeded,
  codeNeededPage,
  refusal,
  SIGN_UP_PATH,
  signInFields,
  signUpLink,
} from './browser/sign-in.pages.js';
export { type AskedCaptcha, type CaptchaAnswer, CaptchaService } from './captcha/captcha.service.js';
export { type CaptchaJson, CaptchaShape } from './captcha/captcha.shape.js';
export { UsedCaptcha } from './captcha/used-captcha.entity.js';
export { OwnAccountService } from './deletion/own-account.service.js';
export { CredentialAttempts } from './guessing/credential-attempts.js';
export { KnownNetwork } from './guessing/known-network.entity.js';
export { PasswordCheckService, WRONG_PASSWORD } from './guessing/password-check.service.js';
export { Invite } from './invites/invite.entity.js';
export {
  type Invitee,
  type InviteLimits,
  type InviteRole,
  InvitesService,
  type ListedInvite,
} from './invites/invites.service.js';
export { type Challenge, MfaChallenges } from './mfa/mfa-challenges.js';
export { MfaChallenge, RecoveryCode, SecondFactor } from './mfa/mfa.entities.js';
export { type ChallengeType, MfaService, type TotpSetup, WRONG_CODE } from './mfa/mfa.service.js';
export { formPage, messagePage, SIGN_IN_PATH } from './pages/form.pages.js';
export { LetterPages } from './pages/letter-pages.js';
export { confirmationForm } from './registration/confirmation.pages.js';
export { ConfirmationsService } from './registration/confirmations.service.js';
export { EmailConfirmation } from './registration/email-confirmation.entity.js';
export { RegistrationRefused, RegistrationService } from './registration/registration.service.js';
export { ChangeShape } from './security/own-security.controller.js';
export { ChangeRefused, type Owner, OwnSecurityService } from './security/own-security.service.js';
export { PasswordReset } from './reset-links/password-reset.entity.js';
export { PasswordResetsService, type ResetLink } from './security/password-resets.service.js';
export { PasswordsService } from './security/passwords.service.js';
export { type MutableMail, UnsubscribeService } from './security/unsubscribe.service.js';
export { SignInModule } from './sign-in.module.js';
