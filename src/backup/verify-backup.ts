import { BackupDamaged } from './model/backup-error.js';
import type { BackupPlace } from './place/backup-place.js';
import { type BackupEntry, readBackup, textOf } from './file/backup-reader.js';
import { FILES, isDataPath, SECRET_KEY_FILE } from './file/data-files.js';
import { DistinctPaths } from './file/distinct-paths.js';
import {
  type Manifest,
  MANIFEST_FILE,
  readManifest,
  readTotals,
  TableCount,
  type TableTotals,
  type Totals,
  TOTALS_FILE,
} from './file/manifest.js';
import { fingerprint } from './file/restored-files.js';

/** What a backup says of itself, after all of it was read. */
export interface BackupContents {
  readonly manifest: Manifest;
  readonly totals: Totals;
}

/** Uses the content of a backup, in its order. */
export interface BackupVisitor {
  /** Called first. */
  manifest?(manifest: Manifest): Promise<void>;
  /** Rows of a table in the text form of `copy`. */
  rows?(table: string, data: Buffer): Promise<void>;
  /** A file by its path in DATA_DIR, which leads out of no folder; its content must be read to its end. */
  file?(path: string, entry: BackupEntry): Promise<void>;
}

const ROWS = /^database\/([^/]+)\/\d+\.copy$/;

/**
 * Reads a backup to its end and compares its sums, counts and manifest.
 * @throws BackupDamaged, or BackupError when it cannot be opened
 */
export async function verifyBackup(
  place: BackupPlace,
  key?: Buffer,
  signal?: AbortSignal,
  visitor: BackupVisitor = {},
): Promise<BackupContents> {
  const check = new Check(visitor);
  for await (const entry of readBackup(place, key, signal)) await check.visit(entry);
  return check.contents();
}

/**
 * Reads the manifest of a backup and nothing else: whether it can be opened, before anything is made for it.
 * @throws BackupError when it is no backup, or the key is missing or wrong
 */
export async function manifestOf(place: BackupPlace, key?: Buffer): Promise<Manifest> {
  for await (const { name, size, content } of readBackup(place, key)) {
    if (name === MANIFEST_FILE) return readManifest(await textOf(name, size, content));
    break;
  }
  throw new BackupDamaged('its manifest is missing');
}

/** Holds the files of a backup against its manifest and its totals. */
class Check {
  private manifest: Manifest | undefined;
  private totals: Totals | undefined;
  private readonly counts = new Map<string, TableCount>();
  private files = { count: 0, bytes: 0 };
  private readonly paths = new DistinctPaths();
  private secretKey: string | undefined;

  constructor(private readonly visitor: BackupVisitor) {}

  async visit(entry: BackupEntry): Promise<void> {
    const { name } = entry;
    if (this.totals) throw new BackupDamaged(`${name} stands behind its end`);
    if (!this.manifest) return this.readManifest(entry);
    const [, table] = ROWS.exec(name) ?? [];
    if (table !== undefined) return this.readRows(table, entry);
    if (name === TOTALS_FILE) this.totals = readTotals(await textOf(name, entry.size, entry.content));
    else if (name.startsWith(FILES)) {
      this.paths.add(name);
      await this.readFile(name.slice(FILES.length), entry);
    } else throw new BackupDamaged(`${name} is unknown`);
  }

  contents(): BackupContents {
    const { manifest, totals } = this;
    if (!manifest || !totals) throw new BackupDamaged('its end is missing');
    for (const { name } of manifest.tables) this.compareRows(name, totals.tables[name]);
    if (this.secretKey !== manifest.secretKey) throw new BackupDamaged('its secret key is missing');
    const { count, bytes } = totals.files;
    if (count !== this.files.count || bytes !== this.files.bytes)
      throw new BackupDamaged(`it has ${this.files.count} files, and should have ${count}`);
    return { manifest, totals };
  }

  private compareRows(name: string, wanted: TableTotals | undefined): void {
    const found = (this.counts.get(name) ?? new TableCount()).totals();
    if (found.rows !== wanted?.rows)
      throw new BackupDamaged(`it has ${found.rows} rows of ${name}, and should have ${wanted?.rows ?? 'none'}`);
    if (found.sha256 !== wanted.sha256) throw new BackupDamaged(`its rows of ${name} were changed`);
  }

  private async readManifest({ name, size, content }: BackupEntry): Promise<void> {
    if (name !== MANIFEST_FILE) throw new BackupDamaged('its manifest is missing');
    this.manifest = readManifest(await textOf(name, size, content));
    await this.visitor.manifest?.(this.manifest);
  }

  private async readRows(table: string, { name, content }: BackupEntry): Promise<void> {
    if (!this.manifest?.tables.some((each) => each.name === table)) throw new BackupDamaged(`${name} is unknown`);
    const count = this.counts.get(table) ?? new TableCount();
    this.counts.set(table, count);
    for await (const data of content) {
      count.add(data);
      await this.visitor.rows?.(table, data);
    }
  }

  /** The key is compared at once: rows that it does not open would be worth nothing. */
  private async readSecretKey(entry: BackupEntry): Promise<void> {
    const text = await textOf(entry.name, entry.size, entry.content);
    this.secretKey = fingerprint(text);
    if (this.secretKey !== this.manifest?.secretKey) throw new BackupDamaged('its secret key is another one');
    await this.visitor.file?.(SECRET_KEY_FILE, { ...entry, content: piecesOf(Buffer.from(text)) });
  }

  private async readFile(path: string, entry: BackupEntry): Promise<void> {
    if (path === SECRET_KEY_FILE) return this.readSecretKey(entry);
    if (!isDataPath(path)) throw new BackupDamaged(`${path} is no file of a data folder`);
    if (this.visitor.file) await this.visitor.file(path, entry);
    else await readToEnd(entry.content);
    this.files.count += 1;
    this.files.bytes += entry.size;
  }
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content);
}

async function readToEnd(content: AsyncIterable<Buffer>): Promise<void> {
  const pieces = content[Symbol.asyncIterator]();
  while (!(await pieces.next()).done);
}
