import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { DomainError } from '../errors/errors.js';
import type { Auth } from './access.js';

/** The content of a body: values by name, files among them, and the paths of files on disk. */
export interface Body {
  readonly values: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  /** Why a part of it was left out. */
  readonly refusal?: DomainError | undefined;
}

/** A request as handlers, guards and interceptors of this server see it. */
export interface ApiRequest extends Request {
  /** Names the request in the log and in the answer's `X-Request-Id`. */
  id: string;
  /** The caller; set by the authentication guard, absent for anonymous callers. */
  auth?: Auth;
  /** When the caller was looked up, by `performance.now`. */
  authorizedAt?: number;
  /** The access token of `auth`: a secret, for code that returns it to its owner. */
  accessToken?: string;
  /** Whether the app reads only the shapes of the reference; set by the authentication guard. */
  isReferenceApp?: boolean;
  /** The body, where it is read before the caller is known. */
  reading?: Promise<Body>;
  /** The tokens among the parameters of the body, as they were sent. */
  body: Readonly<Partial<Record<'access_token' | 'admin_token', unknown>>> | undefined;
  /** All input, merged (path over body over query) and checked; set before the handler's parameters are read. */
  input?: Readonly<Record<string, unknown>>;
  /** The body alone, under its original names; set together with `input`. */
  sent?: Readonly<Record<string, unknown>>;
  /** Why the request is refused, where its handler shows the form again with what was typed (`showsRefusals`). */
  refusal?: DomainError;
  /** Paths of the files of the body. */
  files?: readonly string[];
}

/** The request that a guard or a decorator runs for. `switchToHttp` makes three functions each time, and there are many of both. */
export function requestOf(context: ExecutionContext): ApiRequest {
  return context.getArgByIndex<ApiRequest>(0);
}
