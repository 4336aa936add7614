import type { Request } from 'express';
import type { Auth } from './access.js';

/** A request as handlers, guards and interceptors of this server see it. */
export interface ApiRequest extends Request {
  /** Names the request in the log and in the answer's `X-Request-Id`. */
  id: string;
  /** The caller; set by the authentication guard, absent for anonymous callers. */
  auth?: Auth;
  /** The access token of `auth`: a secret, for code that returns it to its owner. */
  accessToken?: string;
  /** All input, merged (path over body over query) and checked; set before the handler's parameters are read. */
  input?: Readonly<Record<string, unknown>>;
  /** The body alone, under its original names; set together with `input`. */
  sent?: Readonly<Record<string, unknown>>;
  /** Paths of the files of the body. */
  files?: readonly string[];
}
