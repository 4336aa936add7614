import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Unauthorized } from '../errors/errors.js';
import { type ApiRequest, requestOf } from './request.js';

/** The caller and its rights. */
export interface Auth {
  /** Stays the same when the token is renewed. */
  readonly tokenId: string | null;
  /** Changes when the token is renewed: the token before is not valid any more. */
  readonly tokenIssuedAt?: string;
  readonly appId: string | null;
  /** The name under which the app registered. */
  readonly appName?: string;
  readonly scopes: readonly string[];
  /** Null for an app's own token. */
  readonly accountId: string | null;
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
}

/** The callers of a handler. `scopes` are alternatives: one of them is enough; none means any token or session. */
export interface Access {
  readonly kind: 'public' | 'optional' | 'user' | 'app' | 'token' | 'admin' | 'session';
  readonly scopes: readonly string[];
}

const ACCESS = Symbol('access');
const SHOWS_REFUSALS = Symbol('shows-refusals');

/** All callers, without looking at credentials. */
export const Public = () => rule('public', []);

/** All callers; a token that lacks the scopes counts as none. */
export const OptionalAuth = (...scopes: string[]) => rule('optional', scopes);

/** A signed-in user whose token has one of the scopes. */
export const Scopes = (...anyOf: string[]) => rule('user', anyOf);

/** An app's own token with one of the scopes; a user's token is refused with 403. */
export const AppAuth = (...scopes: string[]) => rule('app', scopes);

/** An app's own token or a user's, of any scope. */
export const AnyToken = () => rule('token', []);

/** An administrator (spec §5.3). */
export const AdminOnly = (...scopes: string[]) => rule('admin', scopes);

/**
 * People who are signed in to the pages of this server; others are sent to the page where they sign in. With scopes of
 * administration: those of them who may use an {@link AdminOnly} route with one of these scopes.
 */
export const SignedIn = (...adminScopes: string[]) => rule('session', adminScopes);

/**
 * Declares that a handler takes the form of a page: it shows the form again with what was typed, also where the request is
 * over a limit (`ApiRequest.refusal`).
 */
export function declareShowsRefusals(handler: object): void {
  Reflect.defineMetadata(SHOWS_REFUSALS, true, handler);
}

/** Whether guards let a request over a limit pass, since its handler shows the form again: only where it declares that. */
export function showsRefusals({ method }: ApiRequest, handler: object): boolean {
  return method === 'POST' && Reflect.hasOwnMetadata(SHOWS_REFUSALS, handler);
}

/** The one access rule of a handler; undefined when it has none or several, which the route audit refuses. */
export function accessOf(handler: object): Access | undefined {
  const rules = accessRules(handler);
  return rules.length === 1 ? rules[0] : undefined;
}

/** Every access rule of a handler. */
export function accessRules(handler: object): readonly Access[] {
  return (Reflect.getOwnMetadata(ACCESS, handler) as readonly Access[] | undefined) ?? [];
}

/** The caller's {@link Auth}, or undefined. */
export const CurrentAuth = createParamDecorator((_: unknown, context: ExecutionContext) => authOf(context));

/** The account id of the signed-in user; 401 when there is none. */
export const CurrentAccount = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const accountId = authOf(context)?.accountId;
  if (!accountId) throw new Unauthorized();
  return accountId;
});

/** The caller's access token itself, in clear: a secret. 401 when there is none. */
export const CurrentToken = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { accessToken } = requestOf(context);
  if (accessToken === undefined) throw new Unauthorized();
  return accessToken;
});

/** The account id of the signed-in user, or undefined. */
export const ViewerId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => authOf(context)?.accountId ?? undefined,
);

/** Whether the caller is an app that reads only the shapes of the reference. */
export const IsReferenceApp = createParamDecorator(
  (_: unknown, context: ExecutionContext): boolean => requestOf(context).isReferenceApp ?? false,
);

function rule(kind: Access['kind'], scopes: readonly string[]): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value;
    if (typeof handler !== 'function') return;
    Reflect.defineMetadata(ACCESS, [...accessRules(handler), { kind, scopes } satisfies Access], handler);
  };
}

function authOf(context: ExecutionContext): Auth | undefined {
  return requestOf(context).auth;
}
