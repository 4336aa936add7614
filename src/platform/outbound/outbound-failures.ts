import { Logger } from '@nestjs/common';
import { parseUrl } from '../urls/urls.js';
import { OutboundError } from './outbound-error.js';

/**
 * Untrusted input chooses many of the hosts, so the log is bounded: each cause once a minute, and a number of lines.
 */
const WINDOW_MS = 60_000;
const LINES_IN_WINDOW = 60;

/** Logs failures of requests to remote servers: host and cause, never a path or query, which may hold a secret. */
export class OutboundFailures {
  private readonly logger = new Logger('Outbound');
  /** The entries of the current window. */
  private readonly logged = new Set<string>();
  private windowEnd = 0;
  private omitted = 0;

  /** @param cause an error, the status of an answer, or a description without any sent data */
  report(url: string, cause: unknown): void {
    const failure = { host: parseUrl(url)?.host ?? '(none)', ...factsOf(cause) };
    if (performance.now() >= this.windowEnd) this.openWindow();
    const key = JSON.stringify(failure);
    if (this.logged.has(key)) return;
    if (this.logged.size >= LINES_IN_WINDOW) {
      this.omitted += 1;
      return;
    }
    this.logged.add(key);
    this.logger.log(failure, 'A request to another server failed');
  }

  private openWindow(): void {
    if (this.omitted > 0) this.logger.log({ omitted: this.omitted }, 'More requests to other servers failed');
    this.omitted = 0;
    this.logged.clear();
    this.windowEnd = performance.now() + WINDOW_MS;
  }
}

function factsOf(cause: unknown): object {
  if (typeof cause === 'number') return { status: cause };
  if (!(cause instanceof OutboundError)) return { reason: String(cause) };
  return { kind: cause.kind, reason: cause.message, errorCode: codeOf(cause.cause) };
}

/** The system's code of an error, or of its cause: several connection attempts have one each. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  return codeOf(Array.isArray(errors) ? errors[0] : cause);
}
