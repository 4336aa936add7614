import type { DatabaseAddress, Env, ObjectStore } from '../platform/index.js';
import type { BackupPlace } from './place/backup-place.js';
import { rowChunks } from './database/row-chunks.js';
import { Snapshot } from './database/snapshot.sql.js';
import { BackupWriter } from './file/backup-writer.js';
import { type DataFile, dataFiles, FILES, SECRET_KEY_FILE, secretKeyText } from './file/data-files.js';
import { fingerprint } from './file/restored-files.js';
import {
  FORMAT,
  type Manifest,
  MANIFEST_FILE,
  TableCount,
  type TableTotals,
  type Totals,
  TOTALS_FILE,
} from './file/manifest.js';

/** Rows are stored in files of this size; one is in memory at a time. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Most names of files that were left out. */
const MAX_SKIPPED = 1_000;

export interface BackupOptions {
  readonly address: DatabaseAddress;
  readonly env: Pick<Env, 'dataDir' | 'secretKey' | 'baseUrl' | 'version'>;
  readonly place: BackupPlace;
  /** The bucket of the server's files; null when they are in DATA_DIR. */
  readonly store: ObjectStore | null;
  /** Encrypts the backup. */
  readonly key?: Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A backup that was made. */
export interface MadeBackup {
  /** In bytes. */
  readonly size: number;
  readonly totals: Totals;
}

/**
 * Writes a backup beside a server that runs: all tables at one moment, then the files of DATA_DIR or the bucket, and the secret key. A
 * file that was deleted meanwhile is noted.
 * @throws BackupError when the place is taken already, or the database has nothing of ours
 */
export async function createBackup({ address, env, place, store, key, signal }: BackupOptions): Promise<MadeBackup> {
  const writer = await BackupWriter.create(place, key, signal);
  try {
    const tables = await addDatabase(writer, address, env);
    const { files, skipped } = await addFiles(writer, env, store);
    const totals = { tables, files, skipped };
    await writer.add(TOTALS_FILE, json(totals));
    signal?.throwIfAborted();
    return { size: await writer.finish(), totals };
  } catch (error) {
    await writer.abandon();
    throw signal?.aborted ? signal.reason : error;
  }
}

async function addDatabase(
  writer: BackupWriter,
  address: DatabaseAddress,
  env: BackupOptions['env'],
): Promise<Record<string, TableTotals>> {
  await using snapshot = await Snapshot.open(address);
  const { migrations, tables, sequences } = snapshot;
  const { version, baseUrl } = env;
  const createdAt = new Date().toISOString();
  const secretKeyFile = await secretKeyText(env);
  const secretKey = secretKeyFile === undefined ? undefined : fingerprint(secretKeyFile);
  const manifest: Manifest = { format: FORMAT, version, createdAt, baseUrl, secretKey, migrations, tables, sequences };
  await writer.add(MANIFEST_FILE, json(manifest));
  const totals: Record<string, TableTotals> = {};
  for (const table of tables) {
    const count = new TableCount();
    let number = 0;
    for await (const rows of rowChunks(snapshot.read(table), CHUNK_BYTES)) {
      count.add(rows);
      number += 1;
      await writer.add(chunkName(table.name, number), rows);
    }
    totals[table.name] = count.totals();
  }
  return totals;
}

async function addFiles(
  writer: BackupWriter,
  env: Pick<Env, 'dataDir' | 'secretKey'>,
  store: ObjectStore | null,
): Promise<Pick<Totals, 'files' | 'skipped'>> {
  const skipped: string[] = [];
  const skip = (path: string) => {
    if (skipped.length < MAX_SKIPPED) skipped.push(path);
  };
  const files = { count: 0, bytes: 0 };
  const secretKey = await secretKeyText(env);
  if (secretKey !== undefined) await writer.add(FILES + SECRET_KEY_FILE, Buffer.from(secretKey));
  for await (const file of dataFiles(env.dataDir, store, skip)) {
    const size = await addFile(writer, file);
    if (size === undefined) {
      skip(file.path);
      continue;
    }
    files.count += 1;
    files.bytes += size;
  }
  return { files, skipped };
}

/** Returns the size; undefined when the file is gone. */
async function addFile(writer: BackupWriter, { path, open }: DataFile): Promise<number | undefined> {
  const opened = await open();
  if (!opened) return undefined;
  try {
    await writer.addStream(FILES + path, opened, opened.stream);
  } finally {
    opened.stream.destroy();
  }
  return opened.size;
}

function chunkName(table: string, number: number): string {
  return `database/${table}/${String(number).padStart(6, '0')}.copy`;
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}
