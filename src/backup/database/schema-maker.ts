import { type DatabaseAddress, StartError } from '../../platform/index.js';
import { BackupError, DataRefused, isRefusal } from '../model/backup-error.js';

/** The migrations of this program: given by what lies above the modules. */
export interface SchemaMaker {
  /** The names of all migrations, in order. */
  readonly known: readonly string[];
  /** Runs those of these migrations that the database lacks. */
  make(address: DatabaseAddress, names: readonly string[]): Promise<void>;
  /** Runs all that the database lacks; returns their names. */
  complete(address: DatabaseAddress): Promise<string[]>;
}

/**
 * @param version the program that made them
 * @throws BackupError when that is a newer one, with migrations that this program does not know
 */
export function requireKnown(names: readonly string[], version: string, { known }: SchemaMaker): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new BackupError(
    `A newer program (${version}) made this: it has migrations that this one does not know (${unknown.join(', ')}). ` +
      'Use that version.',
  );
}

/**
 * Makes the tables of these migrations in an empty database.
 * @throws DataRefused when one of them needs another that is missing among them
 */
export async function makeTables(
  schema: SchemaMaker,
  address: DatabaseAddress,
  migrations: readonly string[],
): Promise<void> {
  try {
    await schema.make(address, migrations);
  } catch (error) {
    const { known } = schema;
    const last = known.findLastIndex((name) => migrations.includes(name));
    const isWhole = known.slice(0, last).every((name) => migrations.includes(name));
    const cause = error instanceof StartError ? error.cause : error;
    throw !isWhole && isRefusal(cause) ? new DataRefused('its list of migrations', cause) : error;
  }
}
