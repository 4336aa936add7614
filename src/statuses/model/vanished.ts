import { NotFound } from '../../common/index.js';
import { sqlState } from '../../platform/index.js';

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs a unit of work that refers to a status which may be deleted at the same time.
 * @throws NotFound when the status was deleted
 */
export async function translateForeignKeyViolation<T>(unit: Promise<T>): Promise<T> {
  try {
    return await unit;
  } catch (error) {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw new NotFound();
    throw error;
  }
}
