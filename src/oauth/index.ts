export { type AppBody, AppShape, RegisteredAppShape } from './apps/app.shape.js';
export { appBody } from './apps/app.view.js';
export type { AppRow } from './apps/apps.repository.js';
export { AppsService } from './apps/apps.service.js';
export { type ClientCredentials, clientCredentials } from './apps/client-credentials.js';
export type { ManagedApp } from './apps/managed-apps.repository.js';
export { type AppChanges, ManagedAppsService } from './apps/managed-apps.service.js';
export { OUT_OF_BAND } from './apps/redirect-uris.js';
export { basicPair } from './model/basic-pair.js';
export { AuthorizationCode, OauthApp, OauthToken, SpentRefreshToken } from './model/oauth.entities.js';
export {
  accountRefused,
  invalidClient,
  invalidGrant,
  invalidRequest,
  invalidScope,
  notYet,
  unsupportedGrant,
} from './model/oauth.errors.js';
export { TokenRenewed } from './model/oauth.events.js';
export { covers, coversAny, grantedScopes, holds, KNOWN_SCOPES, knownScopes, parseScopes } from './model/scopes.js';
export { type TokenBody, TokenShape } from './model/token.shape.js';
export { isUnexpiredToken } from './model/token.sql.js';
export { OauthModule } from './oauth.module.js';
export { CodesService } from './tokens/codes.service.js';
export type { SignInRow } from './tokens/tokens.repository.js';
export { TokensService } from './tokens/tokens.service.js';
