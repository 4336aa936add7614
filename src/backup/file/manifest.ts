import { createHash } from 'node:crypto';
import { isPlainObject, readForeignJson, UnreadableJson } from '../../common/index.js';
import type { CopiedTable, Sequence } from '../database/tables.sql.js';
import { BackupDamaged, BackupError } from '../model/backup-error.js';

/** The form of the files that this version writes, and the newest that it reads. */
export const FORMAT = 1;

/** What a backup holds: its first file, `manifest.json`. */
export interface Manifest {
  readonly format: number;
  /** The version of the program that made it. */
  readonly version: string;
  /** The moment of the snapshot, as ISO 8601. */
  readonly createdAt: string;
  /** The public address of the server. */
  readonly baseUrl: string;
  /** The SHA-256 of its secret key as hex, which the backup holds too; missing without one. */
  readonly secretKey?: string | undefined;
  /** The names of the migrations that the database had, in order. */
  readonly migrations: readonly string[];
  /** In the order of their foreign keys. */
  readonly tables: readonly CopiedTable[];
  readonly sequences: readonly Sequence[];
}

/** The rows of one table, and the SHA-256 of all its `.copy` files one after the other, as hex. */
export interface TableTotals {
  readonly rows: number;
  readonly sha256: string;
}

/** What a backup turned out to hold: `totals.json`, the last file but the sums. */
export interface Totals {
  readonly tables: Readonly<Record<string, TableTotals>>;
  /** Files of DATA_DIR, and their size together in bytes. */
  readonly files: { readonly count: number; readonly bytes: number };
  /** Files that were listed and then gone, or whose kind or name is not stored; the first thousand. */
  readonly skipped: readonly string[];
}

export const MANIFEST_FILE = 'manifest.json';
export const TOTALS_FILE = 'totals.json';

/** The most values of a manifest: some hundred tables with their columns, and as many migrations. */
const BOUNDS = { maxValues: 1_000_000 };

/** @throws BackupError when a newer program wrote it, BackupDamaged when it cannot be read */
export function readManifest(text: string): Manifest {
  const manifest = read(text);
  const { format, version = 'unknown', createdAt, baseUrl, secretKey = '', migrations, tables, sequences } = manifest;
  if (Number.isSafeInteger(format) && Number(format) > FORMAT && typeof version === 'string')
    throw new BackupError(`The backup was made by a newer program (${version}): use that version.`);
  const isWhole =
    areTexts([version, createdAt, baseUrl, secretKey]) &&
    areTexts(migrations) &&
    areAll(tables, ({ name, columns }) => areNames([name]) && areNames(columns)) &&
    hasEachOnce(tables as readonly Fields[]) &&
    areAll(sequences, isSequence);
  if (format !== FORMAT || !isWhole) throw new BackupDamaged('its manifest cannot be read');
  return manifest as unknown as Manifest;
}

/** @throws BackupDamaged when it cannot be read */
export function readTotals(text: string): Totals {
  const totals = read(text);
  const { tables, files, skipped } = totals;
  if (
    !isPlainObject(tables) ||
    !areAll(Object.values(tables), ({ rows, sha256 }) => isCount(rows) && areTexts([sha256])) ||
    !isPlainObject(files) ||
    !isCount(files['count']) ||
    !isCount(files['bytes']) ||
    !areTexts(skipped)
  )
    throw new BackupDamaged('its totals cannot be read');
  return totals as unknown as Totals;
}

type Fields = Readonly<Record<string, unknown>>;

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** No name in a database has a NUL, and a statement would end there. */
function areNames(value: unknown): boolean {
  return areTexts(value) && !(value as readonly string[]).some((each) => each.includes('\0'));
}

/** Whether no two tables have the same name, and none is without columns. */
function hasEachOnce(tables: readonly Fields[]): boolean {
  const names = new Set(tables.map(({ name }) => name));
  return names.size === tables.length && tables.every(({ columns }) => (columns as readonly string[]).length > 0);
}

function isSequence({ table, column, lastValue, isCalled }: Fields): boolean {
  return areTexts([table, column, lastValue]) && typeof isCalled === 'boolean';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a value is a list of objects that all pass a check. */
function areAll(value: unknown, check: (each: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((each) => isPlainObject(each) && check(each));
}

function read(text: string): Fields {
  try {
    const value = readForeignJson(text, BOUNDS);
    if (isPlainObject(value)) return value;
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
  }
  throw new BackupDamaged('one of its descriptions is not JSON');
}

/** Counts the rows and the SHA-256 of the data of one table. PostgreSQL ends each row with a line feed, and escapes others. */
export class TableCount {
  private readonly hash = createHash('sha256');
  private rows = 0;

  add(data: Buffer): void {
    this.hash.update(data);
    for (let at = data.indexOf(LINE_FEED); at >= 0; at = data.indexOf(LINE_FEED, at + 1)) this.rows += 1;
  }

  totals(): TableTotals {
    return { rows: this.rows, sha256: this.hash.digest('hex') };
  }
}

const LINE_FEED = 0x0a;
