import { randomUUID } from 'node:crypto';
import type { DatabaseAddress, Env, ObjectStore } from '../platform/index.js';
import { Loader, type TableLoad } from './database/loader.sql.js';
import { makeTables, requireKnown, type SchemaMaker } from './database/schema-maker.js';
import type { CopiedTable } from './database/tables.sql.js';
import type { BackupPlace } from './place/backup-place.js';
import { BackupDamaged, BackupError, DataRefused } from './model/backup-error.js';
import type { BackupEntry } from './file/backup-reader.js';
import { SECRET_KEY_FILE } from './file/data-files.js';
import type { Manifest } from './file/manifest.js';
import { RestoredFiles } from './file/restored-files.js';
import { type BackupContents, verifyBackup } from './verify-backup.js';

const BEGUN_BY_EARLIER_VERSION =
  'An earlier version of the program began this restore and left no mark beside its files: ' +
  'if no server uses them, remove them and restore again.';

export interface RestoreOptions {
  /** Of a database that this process has for itself. */
  readonly address: DatabaseAddress;
  readonly env: Pick<Env, 'dataDir' | 'secretKey' | 'mediaFileMode'>;
  readonly place: BackupPlace;
  /** The bucket of the server's files; null when they go into DATA_DIR. */
  readonly store: ObjectStore | null;
  readonly key?: Buffer | undefined;
  readonly schema: SchemaMaker;
  readonly signal?: AbortSignal | undefined;
}

/** A backup that was restored, and the migrations that brought its database up to date. */
export interface RestoredBackup extends BackupContents {
  readonly ran: readonly string[];
}

/**
 * Restores a backup into an empty database and an empty DATA_DIR (and bucket, with STORAGE_URL), then brings the database up
 * to date. Until the end all of them are marked as unfinished; a restore that was killed begins again from nothing.
 * @throws BackupError when a place is not empty, a newer program made the backup, or it is damaged
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { address, place, key, schema, signal } = options;
  await using loader = await Loader.open(address);
  const restore = new Restore(loader, options);
  const contents = await restoredFrom(restore, () => verifyBackup(place, key, signal, restore));
  return { ...contents, ran: await schema.complete(address) };
}

/** Rows that were stored once and are refused now are not those that were stored. */
async function restoredFrom(restore: Restore, read: () => Promise<BackupContents>): Promise<BackupContents> {
  try {
    const contents = await read();
    await restore.finish(contents);
    return contents;
  } catch (error) {
    throw error instanceof DataRefused ? new BackupDamaged(error.reason, { cause: error }) : error;
  }
}

/** Puts the content of a backup into its places. */
class Restore {
  private loading: TableLoad | undefined;
  private tables: readonly CopiedTable[] = [];
  private readonly files: RestoredFiles;

  constructor(
    private readonly loader: Loader,
    private readonly options: RestoreOptions,
  ) {
    this.files = new RestoredFiles(options.env, options.store);
  }

  async manifest({ migrations, version, tables, secretKey }: Manifest): Promise<void> {
    const { address, schema } = this.options;
    requireKnown(migrations, version, schema);
    await this.begin(secretKey);
    await makeTables(schema, address, migrations);
    await this.loader.prepare();
    const made = new Set((await this.loader.tables()).map(({ name }) => name));
    const other = tables.find(({ name }) => !made.has(name));
    if (other) throw new BackupError(`The backup has a table ${other.name} that no migration of ours makes.`);
    this.tables = tables;
  }

  async rows(name: string, data: Buffer): Promise<void> {
    if (this.loading?.name !== name) {
      await this.endTable();
      const table = this.tables.find((each) => each.name === name);
      if (table) this.loading = await this.loader.load(table);
    }
    await this.loading?.write(data);
  }

  async file(path: string, entry: BackupEntry): Promise<void> {
    await this.endTable();
    if (path === SECRET_KEY_FILE) await this.files.writeSecretKey(entry);
    else await this.files.write(path, entry);
  }

  /** Compares the numbers of rows, and removes the mark when everything is on the disk. */
  async finish({ manifest: { tables, sequences }, totals }: BackupContents): Promise<void> {
    await this.endTable();
    for (const { name } of tables) await this.loader.requireCount(name, totals.tables[name]?.rows);
    await this.loader.setSequences(sequences);
    await this.loader.analyze(tables);
    await this.files.sync();
    await this.loader.finish();
    await this.files.removeMarks();
  }

  private async endTable(): Promise<void> {
    await this.loading?.finish();
    this.loading = undefined;
  }

  private async begin(secretKey: string | undefined): Promise<void> {
    const { loader, files } = this;
    await files.requireSameKey(secretKey);
    const mark = { kind: 'restore', place: this.options.env.dataDir } as const;
    const unfinished = await loader.unfinished(mark);
    const id = unfinished?.id ?? randomUUID();
    await files.prepare(id, unfinished && !unfinished.id ? BEGUN_BY_EARLIER_VERSION : undefined);
    if (unfinished) await loader.beginAgain({ ...mark, id });
    else await loader.begin({ ...mark, id });
    await files.mark(id);
  }
}
