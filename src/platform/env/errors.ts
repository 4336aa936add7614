/**
 * True when `error` carries one of these codes: a system error such as `ENOENT`, or PostgreSQL's SQLSTATE. Checks the
 * code alone, because errors of Node's own modules can come from another realm.
 */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** Whether the machine failed, and not what was read: a system error, or a wait that was given up. */
export function isOfMachine(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ('syscall' in error || isGivenUp(error));
}

/** Whether a signal ended the wait. Checks the name alone, as {@link hasCode} checks the code. */
export function isGivenUp(error: object): boolean {
  return 'name' in error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

/** For a failed access to a file or folder: undefined when it is not there, else throws. */
export function unlessMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}

/** The message of an error, or its code when the message is empty, as for several failed connection attempts. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** A reason not to start that the operator can fix: it is shown as text, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
