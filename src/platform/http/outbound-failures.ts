import { Logger } from '@nestjs/common';
import { OutboundError } from './outbound-error.js';

/** Strangers choose many of the hosts that are asked, so the log is bounded: each cause once a minute, and so many lines. */
const WINDOW_MS = 60_000;
const LINES_IN_WINDOW = 60;

/** Logs why requests to other servers fail: their host and the cause, never a path or query, which may hold a secret. */
export class OutboundFailures {
  private readonly logger = new Logger('Outbound');
  /** What was logged in the present window. */
  private readonly logged = new Set<string>();
  private windowEnd = 0;
  private omitted = 0;

  /** @param cause an error, the status of an answer, or what is wrong with it in words without anything that was sent */
  report(url: string, cause: unknown): void {
    const failure = { host: URL.parse(url)?.host ?? '(none)', ...factsOf(cause) };
    if (Date.now() >= this.windowEnd) this.openWindow();
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
    this.windowEnd = Date.now() + WINDOW_MS;
  }
}

function factsOf(cause: unknown): object {
  if (typeof cause === 'number') return { status: cause };
  if (!(cause instanceof OutboundError)) return { reason: String(cause) };
  return { kind: cause.kind, reason: cause.message, errorCode: codeOf(cause.cause) };
}

/** The system's code of an error, or of what caused it: several attempts to connect have one each. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  return codeOf(Array.isArray(errors) ? errors[0] : cause);
}
