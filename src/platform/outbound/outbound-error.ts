/**
 * The kind of failure of an outbound request; for logs and for the decision to retry, not for people. The host was not asked
 * for `away`, since it did not answer lately; for `busy`, since it is asked much already; for `budget`, since the work may ask
 * no more. It answered 401 for `unauthorized`, at the moment or to nobody.
 */
export type OutboundErrorKind =
  | 'bad-url'
  | 'refused-address'
  | 'redirect'
  | 'timeout'
  | 'too-large'
  | 'media-type'
  | 'network'
  | 'unauthorized'
  | 'away'
  | 'busy'
  | 'budget';

/** The kinds of requests that were not made. */
const NOT_ASKED: readonly OutboundErrorKind[] = ['away', 'busy', 'budget'];
/** The kinds after which the same request may succeed later. */
const PASSING: readonly OutboundErrorKind[] = ['timeout', 'network', 'unauthorized', 'away', 'busy'];

/** An outbound request failed. The message and the cause are for the log. */
export class OutboundError extends Error {
  override name = 'OutboundError';

  /** The public text: the same for every kind, so that callers cannot map a network through this server. */
  readonly publicText = 'The remote server could not be reached';

  constructor(
    readonly kind: OutboundErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** Whether a server was asked at all. */
  get wasAsked(): boolean {
    return !NOT_ASKED.includes(this.kind);
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return PASSING.includes(this.kind);
  }
}

/** Slow requests (408), early ones (425) and too many (429). */
const PASSING_STATUSES: readonly number[] = [408, 425, 429];

/** Whether an answer with this status says that the same request may succeed later. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || PASSING_STATUSES.includes(status);
}

/** Reads an answer of 401 as nothing found; other errors stay. For what is asked again at the next use anyway. */
export function ignoreUnauthorized(error: unknown): undefined {
  if (!(error instanceof OutboundError) || error.kind !== 'unauthorized') throw error;
}

/** Reads an unreachable server as nothing found; other errors stay. */
export function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
}
