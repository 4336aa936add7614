import { messageOf, sqlState } from '../../platform/index.js';

/** An expected failure of a backup, a restore or a move: shown to the operator in its words. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** A backup that is not as it was written. */
export class BackupDamaged extends BackupError {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup is damaged or incomplete: ${reason}.`, options);
  }
}

/** A database refused what it was to be filled with. */
export class DataRefused extends BackupError {
  /** The part of it, and why. */
  readonly reason: string;

  constructor(what: string, cause: unknown) {
    const reason = `${what} cannot be loaded (${messageOf(cause)})`;
    super(`The database cannot be filled: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** A data exception, a constraint, and all that is wrong with a statement itself, but a lack of privileges. */
const REFUSED = /^(?:2[23]...|2BP01|42(?!501)...|54...)$/;

/** Whether a database refused what it got for what that is. */
export function isRefusal(error: unknown): boolean {
  return REFUSED.test(sqlState(error));
}

/** An error for the operator when the database refused `what` for what it is; other errors are returned as they are. */
export function refusalOf(what: string, error: unknown): unknown {
  return isRefusal(error) ? new DataRefused(what, error) : error;
}
