import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ENV, type Env, Metrics, OBJECT_STORE, type ObjectStore, UnitOfWork } from '../../platform/index.js';
import { type FolderSize, folderSizes } from './folder-sizes.js';
import { StorageRepository, type TableSize } from './storage.repository.js';

/** The sizes of the database in bytes. */
export interface DatabaseReport {
  /** The whole database, with what belongs to no table. */
  readonly database: number;
  /** The largest first. */
  readonly tables: readonly TableSize[];
}

/** What lies where: sizes in bytes. */
export interface StorageReport extends DatabaseReport {
  readonly folders: readonly FolderSize[];
}

const MINUTE_MS = 60_000;
/** A scrape reads the sizes of tables at most this often, and walks the folders at most hourly. */
const TABLES_MS = 5 * MINUTE_MS;
const FOLDERS_MS = 60 * MINUTE_MS;

/** Tells how large tables and folders are: to the operator, and as metrics that cost a scrape nothing. */
@Injectable()
export class StorageService implements OnModuleInit {
  private readonly tables = new Remembered(TABLES_MS, () => this.uow.outside(() => this.repository.tables()));
  private readonly folders = new Remembered(FOLDERS_MS, () => folderSizes(this.env.dataDir, this.store));

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly repository: StorageRepository,
    private readonly metrics: Metrics,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | null,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges('svc_table_bytes', 'Size of a table with its indexes', 'table', async () =>
      Object.fromEntries((await this.tables.get()).map(({ table, bytes }) => [table, bytes])),
    );
    this.metrics.gauges(
      'svc_folder_bytes',
      'Size of the files in a folder of DATA_DIR or of the bucket',
      'folder',
      async () => Object.fromEntries((await this.folders.get()).map(({ folder, bytes }) => [folder, bytes])),
    );
  }

  /** The sizes of the database at this moment: cheap, however much is stored. */
  async databaseReport(): Promise<DatabaseReport> {
    const [database, tables] = await Promise.all([this.repository.database(), this.repository.tables()]);
    return { database, tables };
  }

  /** The sizes of this moment. Reads every entry of the folders: takes a while with many files. */
  async report(): Promise<StorageReport> {
    const [sizes, folders] = await Promise.all([this.databaseReport(), folderSizes(this.env.dataDir, this.store)]);
    return { ...sizes, folders };
  }
}

/** A value that is read again in the background when it is old: nobody waits but for the first one. */
class Remembered<Value> {
  private last: { readonly value: Value; readonly at: number } | undefined;
  private reading: Promise<Value> | undefined;

  constructor(
    private readonly ageMs: number,
    private readonly read: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    const { last } = this;
    if (last && last.at >= performance.now() - this.ageMs) return last.value;
    const reading = (this.reading ??= this.readNow());
    if (!last) return reading;
    reading.catch(() => undefined);
    return last.value;
  }

  private async readNow(): Promise<Value> {
    try {
      const value = await this.read();
      this.last = { value, at: performance.now() };
      return value;
    } finally {
      this.reading = undefined;
    }
  }
}
