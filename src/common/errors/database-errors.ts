import { isLostConnection, sqlState, UNIQUE_VIOLATION } from '../../platform/index.js';
import { NotFound } from './errors.js';

/**
 * SQLSTATEs for "try later": connection lost (08…), out of resources such as disk or connections (53…), server shut
 * down or starting (57P0…), statement timeout (57014), a copy that can only be read until it takes over (25006), and a lock
 * or conflict that outlasted the retries.
 */
const AWAY = /^(08\w{3}|53\w{3}|57P0\d|57014|25006|55P03|40001|40P01)$/;

/** Codes of node for an unreachable server; ENOENT is the missing socket. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH']);
const SOCKET_CALLS = new Set<unknown>(['connect', 'read', 'write']);

/** Whether the database is away or overloaded, so that the same request may succeed later (threats D1, D5). */
export function isDatabaseAway(error: unknown): boolean {
  const code = sqlState(error);
  if (AWAY.test(code)) return true;
  if (!(error instanceof Error)) return false;
  if (UNREACHABLE.has(code) && 'syscall' in error && SOCKET_CALLS.has(error.syscall)) return true;
  return isLostConnection(error) || isDatabaseAway(error.cause);
}

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs a unit of work that refers to a row which may be deleted at the same time.
 * @throws NotFound when the row was deleted
 */
export function translateForeignKeyViolation<T>(unit: Promise<T>): Promise<T> {
  return translate(unit, FOREIGN_KEY_VIOLATION, () => new NotFound());
}

/**
 * Runs a write of a unique value, which another unit of work may store at the same time. The open unit ends with it.
 * @throws what `taken` returns, when the value is taken
 */
export function translateUniqueViolation<T>(write: Promise<T>, taken: () => Error): Promise<T> {
  return translate(write, UNIQUE_VIOLATION, taken);
}

async function translate<T>(work: Promise<T>, state: string, refusal: () => Error): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) === state) throw refusal();
    throw error;
  }
}
