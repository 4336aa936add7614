import { createHash } from 'node:crypto';
import { readForeignJson, UnreadableJson } from '../../common/index.js';
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
  const manifest = read(text) as Partial<Manifest>;
  const { format, version = 'unknown' } = manifest;
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupError(`The backup was made by a newer program (${version}): use that version.`);
  if (format !== FORMAT) throw new BackupDamaged('its manifest cannot be read');
  if (!Array.isArray(manifest.migrations) || !Array.isArray(manifest.tables) || !Array.isArray(manifest.sequences))
    throw new BackupDamaged('its manifest cannot be read');
  return manifest as Manifest;
}

/** @throws BackupDamaged when it cannot be read */
export function readTotals(text: string): Totals {
  const totals = read(text) as Partial<Totals>;
  if (typeof totals.tables !== 'object' || typeof totals.files !== 'object' || !Array.isArray(totals.skipped))
    throw new BackupDamaged('its totals cannot be read');
  return totals as Totals;
}

function read(text: string): object {
  try {
    const value = readForeignJson(text, BOUNDS);
    if (typeof value === 'object' && value !== null) return value;
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
