import { fieldPhrase, joined, type Reason } from '../reasons/reasons.js';

/** Optional parts of a {@link DomainError} besides its text. */
export interface DomainErrorOptions {
  /** Further fields of the default body, such as `identifier` or `error_description`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The underlying error: for the log, never for the caller. */
  readonly cause?: unknown;
}

type DomainErrorClass<E extends DomainError> = new (reason: Reason) => E;

/**
 * A failure that the caller sees. Services throw it; the exception filter turns it into an answer with this status and
 * body. The reason goes to the caller, so it names no table, path or library: its English text to programs, and its
 * translation to people (`Translator.reason`).
 */
export abstract class DomainError extends Error {
  abstract readonly status: number;
  /** Response headers that belong to the failure. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** Whether it is no fault of this server: callers can cause such answers at will, and must not fill the log with them. */
  readonly isExpected: boolean = false;
  private exactBody: unknown;

  constructor(
    readonly reason: Reason,
    private readonly options: DomainErrorOptions = {},
  ) {
    super(String(reason), options);
    this.name = new.target.name;
  }

  /** The JSON body: `{error: text}`, unless the specification fixes another shape. */
  get body(): unknown {
    return this.exactBody ?? { error: this.message, ...this.options.details };
  }

  /** A bare JSON string as body (spec §7: `Invalid parameters`, `Unsupported visibility`). */
  static plain<E extends DomainError>(this: DomainErrorClass<E>, reason: Reason): E {
    return answering(new this(reason), String(reason));
  }

  /** One entry per item of a bulk operation that failed: `[{id, error}]` or `[{error}]` (spec §7). */
  static bulk<E extends DomainError>(
    this: DomainErrorClass<E>,
    failures: readonly { readonly id?: string; readonly error: Reason }[],
  ): E {
    const body = failures.map((failure) => ({ ...failure, error: String(failure.error) }));
    return answering(new this(joined(failures.map(({ error }) => error))), body);
  }

  /** A bare map of field name to message (spec §7, creation of an OAuth application). */
  static fields<E extends DomainError>(this: DomainErrorClass<E>, messages: Readonly<Record<string, Reason>>): E {
    return answering(new this(sentence(messages)), texts(messages));
  }

  /** `{errors: {<field>: <message>}}` (spec §7, update of a user's credentials). */
  static errors<E extends DomainError>(this: DomainErrorClass<E>, messages: Readonly<Record<string, Reason>>): E {
    return answering(new this(sentence(messages)), { errors: texts(messages) });
  }

  /** Fixes the whole body. */
  answer(body: unknown): this {
    this.exactBody = body;
    return this;
  }
}

/** 400: a parameter is missing, unreadable or of the wrong type. */
export class Invalid extends DomainError {
  readonly status = 400;
}

/** 401: credentials are missing, unknown or no longer valid. */
export class Unauthorized extends DomainError {
  readonly status = 401;
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };

  constructor(reason: Reason = 'Invalid credentials.', options?: DomainErrorOptions) {
    super(reason, options);
  }
}

/** 403: visible, but not allowed. A hidden object is {@link NotFound}. */
export class Forbidden extends DomainError {
  readonly status = 403;

  constructor(reason: Reason = 'Access denied', options?: DomainErrorOptions) {
    super(reason, options);
  }
}

/** 404: there is no such thing, or the caller may not see it. */
export class NotFound extends DomainError {
  readonly status = 404;

  constructor(reason: Reason = 'Record not found', options?: DomainErrorOptions) {
    super(reason, options);
  }
}

/** 409: it exists already, or another request is changing it. */
export class Conflict extends DomainError {
  readonly status = 409;
}

/** 413: more bytes than the limit. */
export class TooLarge extends DomainError {
  readonly status = 413;
  /** What is left of the body is not read. */
  override readonly headers = { Connection: 'close' };

  constructor(reason: Reason = 'Request entity too large', options?: DomainErrorOptions) {
    super(reason, options);
  }
}

/** 415: this kind of content is not accepted here. */
export class Unsupported extends DomainError {
  readonly status = 415;
}

/** 422: a readable request that breaks a content rule. */
export class Unprocessable extends DomainError {
  readonly status = 422;
}

/** 426: the address takes WebSockets only (RFC 9110 §15.5.22). */
export class UpgradeRequired extends DomainError {
  readonly status = 426;
  override readonly headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
}

/** 429: too many requests. Gives the seconds until the next try. */
export class TooManyRequests extends DomainError {
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;

  constructor(retryAfterSeconds: number, reason: Reason = 'Throttled') {
    super(reason);
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** 500: a dependency failed through no fault of the caller; only where spec §7 allows a 500. */
export class Upstream extends DomainError {
  readonly status = 500;
}

/** 500: another server failed. The outbound client has logged why. */
export class RemoteFailure extends Upstream {
  override readonly isExpected = true;
}

/** 503: the database is away, or there is too much to do. Gives the seconds until the next try. */
export class Unavailable extends DomainError {
  readonly status = 503;
  override readonly headers: Readonly<Record<string, string>>;

  constructor(reason: Reason = 'Service unavailable', options?: DomainErrorOptions, retryAfterSeconds = 5) {
    super(reason, options);
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** 503: another server does not answer, which the caller can try again. The outbound client has logged why. */
export class RemoteUnavailable extends Unavailable {
  override readonly isExpected = true;
}

/** 503: too many ask at once, or the process says itself that it cannot work. The metrics count such answers. */
export class Busy extends Unavailable {
  override readonly isExpected = true;
}

/** Ignores the refusal by a rule, and throws all other errors again, failures of this server among them. For `catch` of a promise. */
export function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.status >= 500) throw error;
}

/** Ignores that a thing is missing, and throws all other errors again. For `catch` of a promise. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

function answering<E extends DomainError>(error: E, body: unknown): E {
  return error.answer(body);
}

function sentence(messages: Readonly<Record<string, Reason>>): Reason {
  return joined(Object.entries(messages).map(([field, message]) => fieldPhrase(field, message)));
}

function texts(messages: Readonly<Record<string, Reason>>): Record<string, string> {
  return Object.fromEntries(Object.entries(messages).map(([field, message]) => [field, String(message)]));
}

/** The request continues at another path of this server, such as the page where people sign in. */
export class Redirect extends Error {
  constructor(readonly path: string) {
    super(`Continue at ${path}`);
  }
}
