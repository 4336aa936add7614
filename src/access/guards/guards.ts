import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import {
  type Access,
  accessOf,
  type ApiRequest,
  type Auth,
  Forbidden,
  phrase,
  removeFiles,
  requestOf,
  Unauthorized,
} from '../../common/index.js';
import { ReferenceApps, Settings } from '../../config/index.js';
import { AuthResolver, type Credentials } from './auth-resolver.js';
import { coversAny } from '../../oauth/index.js';
import { BrowserSessions, CredentialAttempts } from '../../sign-in/index.js';
import { StaffRights } from './staff-rights.js';

interface Call {
  readonly access: Access;
  readonly request: ApiRequest;
}

/**
 * Counts wrong admin tokens, before the caller is looked up, and refuses further ones from an address after too many. Access
 * tokens cannot be guessed: wrong ones count and get the limit's headers, but never stop sign-ins from the same
 * address.
 */
@Injectable()
export class FailedCredentialsGuard implements CanActivate {
  constructor(
    private readonly resolver: AuthResolver,
    private readonly attempts: CredentialAttempts,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { access, request } = callOf(context);
    return access.kind !== 'admin' || this.weigh(request);
  }

  private async weigh(request: ApiRequest): Promise<boolean> {
    const { kind } = this.resolver.resolveOperator(request);
    if (kind !== 'none') {
      await this.attempts.weigh(`operator ${this.attempts.addressOf(request)}`, kind === 'accepted');
    }
    return true;
  }
}

/** Finds the caller and its app, at once where no statement is needed, and sets `request.auth` and `request.isReferenceApp`. Wrong credentials are 401, except on the admin API (spec §5.3). */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly resolver: AuthResolver,
    private readonly attempts: CredentialAttempts,
    private readonly users: UsersService,
    private readonly apps: ReferenceApps,
    private readonly sessions: BrowserSessions,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const call = callOf(context);
    const { access, request } = call;
    if (access.kind === 'public') return context.getType() === 'ws' || this.admit(request, undefined); // 'ws': a message on an open connection
    if (access.kind === 'session') return this.sessions.require(request).then((auth) => this.admit(request, auth));
    const operator = this.operator(call);
    if (operator) return this.admit(request, operator);
    const known = this.resolver.resolveInMemory(request);
    if (known && known.kind !== 'refused') return this.admit(request, callerOf(request, known));
    return this.caller(call).then((auth) => this.admit(request, auth));
  }

  private admit(request: ApiRequest, auth: Auth | undefined): boolean | Promise<boolean> {
    request.authorizedAt = performance.now();
    request.isReferenceApp = this.apps.includes(auth?.appName, request.headers['user-agent']);
    if (!auth) return true;
    request.auth = auth;
    return auth.accountId === null || this.users.touchActivity(auth.accountId).then(() => true);
  }

  private operator({ access, request }: Call): Auth | undefined {
    if (access.kind !== 'admin') return undefined;
    const credentials = this.resolver.resolveOperator(request);
    return credentials.kind === 'accepted' ? credentials.auth : undefined;
  }

  private async caller({ access, request }: Call): Promise<Auth | undefined> {
    const credentials = await this.resolver.resolve(request);
    if (credentials.kind !== 'refused') return callerOf(request, credentials);
    await this.attempts.failed(`token ${this.attempts.addressOf(request)}`);
    if (access.kind === 'admin') return undefined;
    throw new Unauthorized();
  }
}

/** The caller of accepted credentials. */
function callerOf(request: ApiRequest, credentials: Exclude<Credentials, { kind: 'refused' }>): Auth | undefined {
  if (credentials.kind === 'none') return undefined;
  if (credentials.token !== undefined) request.accessToken = credentials.token;
  return credentials.auth;
}

const KINDS_WITH_TOKEN: readonly Access['kind'][] = ['user', 'app', 'token'];

/**
 * Checks the rule of routes for users and apps: 401 without a token or for an app's token where a user is needed, 403
 * for a user's token where an app's is needed (spec §4.3) and without one of the scopes. Where signing in is optional, a token without the scope counts as none; a server that is
 * not public needs a user there too (threat V17).
 */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { access, request } = callOf(context);
    const { auth } = request;
    if (access.kind === 'optional') {
      if (auth && !coversAny(auth.scopes, access.scopes)) delete request.auth;
      if (!request.auth?.accountId && !this.settings.get('instance.public')) {
        throw new Forbidden('This resource requires authentication.');
      }
      return true;
    }
    if (!KINDS_WITH_TOKEN.includes(access.kind)) return true;
    if (!auth) throw new Unauthorized();
    if (access.kind === 'user' && auth.accountId === null) {
      throw new Unauthorized('This API requires an authenticated user');
    }
    requireAppToken(auth, access);
    requireScope(auth, access);
    return true;
  }
}

/**
 * Admits administrators to the admin API and the pages of the staff, and moderators as far as they have privileges; 403 for all others (spec §5.3),
 * before a body above 16 KiB is read (threat A1).
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly rights: StaffRights) {}

  canActivate(context: ExecutionContext): boolean {
    const { access, request } = callOf(context);
    const isPageOfStaff = access.kind === 'session' && access.scopes.length > 0;
    if (access.kind !== 'admin' && !isPageOfStaff) return true;
    const { auth } = request;
    if (!auth) throw new Forbidden('Invalid credentials.');
    if (!this.rights.admits(auth, access.scopes)) throw new Forbidden('User is not an admin.');
    // A session of the pages has no scopes of administration: it needs a password each time, and no app can have it.
    if (!isPageOfStaff && !this.rights.admitsWithToken(auth, access.scopes)) throw insufficient(access);
    return true;
  }
}

/** A body that takes longer may outlive the rights of its sender: an upload may take minutes. */
const MOST_MS = 1_000;

/** Stands behind the body: looks the caller of a slow one up again, and repeats the checks of its rights (threat O10). */
@Injectable()
export class SlowBodyGuard implements CanActivate {
  private readonly guards: readonly CanActivate[];

  constructor(auth: AuthGuard, scopes: ScopesGuard, admin: AdminGuard) {
    this.guards = [auth, scopes, admin];
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = requestOf(context);
    return performance.now() - (request.authorizedAt ?? Infinity) <= MOST_MS || this.repeat(request, context);
  }

  private async repeat(request: ApiRequest, context: ExecutionContext): Promise<boolean> {
    delete request.auth;
    delete request.accessToken;
    try {
      for (const guard of this.guards) await guard.canActivate(context);
      return true;
    } catch (error) {
      await removeFiles(request.files ?? []);
      throw error;
    }
  }
}

function requireAppToken(auth: Auth, access: Access): void {
  if (access.kind === 'app' && auth.accountId !== null) throw new Forbidden('Invalid credentials');
}

function requireScope({ scopes }: Auth, access: Access): void {
  if (coversAny(scopes, access.scopes)) return;
  throw insufficient(access);
}

function insufficient({ scopes }: Access): Forbidden {
  return new Forbidden(phrase('Insufficient permissions: {scopes}.', { scopes: scopes.join(' | ') }));
}

/** Refuses a handler without an access rule; the server would not have started with one. */
function callOf(context: ExecutionContext): Call {
  const access = accessOf(context.getHandler());
  if (!access) throw new Forbidden();
  return { access, request: requestOf(context) };
}
