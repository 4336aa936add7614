export { AppShape, RegisteredAppShape } from './app.shape.js';
export type { AppRow } from './apps.repository.js';
export { type AppDescription, AppsService } from './apps.service.js';
export { AdminGuard, AuthGuard, FailedCredentialsGuard, ScopesGuard } from './guards.js';
export { OauthApp, OauthToken, SpentRefreshToken } from './oauth.entities.js';
export { OauthModule } from './oauth.module.js';
export { covers } from './scopes.js';
export { TokenShape } from './token.shape.js';
export { TokensService } from './tokens.service.js';
