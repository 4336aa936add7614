import type { DatabaseAddress } from '../platform/index.js';
import { type Load, type LoadedRows, Loader } from './database/loader.sql.js';
import { makeTables, requireKnown, type SchemaMaker } from './database/schema-maker.js';
import { Snapshot } from './database/snapshot.sql.js';
import type { CopiedTable } from './database/tables.sql.js';
import { TableCount } from './file/manifest.js';

export interface MoveOptions {
  /** Both of databases that this process has for itself. */
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
  readonly version: string;
  readonly schema: SchemaMaker;
  readonly signal?: AbortSignal | undefined;
  /** Called after each table: whether it was copied now, or is there from an earlier try. */
  readonly onTable?: (name: string, rows: number, isNew: boolean) => void;
  /** Called when the old database is another one than at the earlier try. */
  readonly onChanged?: () => void;
}

/** What was moved. */
export interface MovedDatabase {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies all tables into an empty database, with the schema that the old one has. A move that did not finish goes on with
 * the first table that is not complete; when a table that was copied has other rows meanwhile, all of it begins again. The
 * old database stays as it is.
 * @throws BackupError when the other database is not empty, or the numbers of rows differ at the end
 */
export async function moveDatabase(options: MoveOptions): Promise<MovedDatabase> {
  const { from, to, version, schema, signal, onTable, onChanged } = options;
  await using snapshot = await Snapshot.open(from);
  requireKnown(snapshot.migrations, version, schema);
  await using loader = await Loader.open(to);
  const load = { kind: 'move', place: `${from.database} at ${from.host}:${from.port}` } as const;
  const begun = await loader.unfinished(load);
  if (!begun) await loader.begin(load);
  else if (isByOlderProgram(begun) || !(await hasAll(snapshot, await loader.loaded(), signal))) {
    onChanged?.();
    await loader.beginAgain(load);
  }
  await makeTables(schema, to, snapshot.migrations);
  await loader.prepare();
  const loaded = await loader.loaded();
  const counts = new Map<string, number>();
  for (const table of snapshot.tables) {
    signal?.throwIfAborted();
    const done = loaded.get(table.name)?.rows;
    const rows = done ?? (await copyTable(snapshot, loader, table));
    counts.set(table.name, rows);
    onTable?.(table.name, rows, done === undefined);
  }
  for (const { name } of snapshot.tables) await loader.requireCount(name, counts.get(name));
  await loader.setSequences(snapshot.sequences);
  await loader.analyze(snapshot.tables);
  await loader.finish();
  return { tables: counts.size, rows: [...counts.values()].reduce((sum, rows) => sum + rows, 0) };
}

/** It noted no sums. */
function isByOlderProgram(begun: Load): boolean {
  return !('id' in begun);
}

/**
 * Whether all tables that an earlier try copied still have the same rows. Reading them again is what is certain: counters of
 * PostgreSQL belong to all its databases, move by themselves, or are lost in a crash. Loading them anew would read them, too, and
 * write them besides.
 */
async function hasAll(
  snapshot: Snapshot,
  loaded: ReadonlyMap<string, LoadedRows>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const [name, { sha256 }] of loaded) {
    signal?.throwIfAborted();
    const table = snapshot.tables.find((each) => each.name === name);
    if (!table) return false;
    const count = new TableCount();
    for await (const data of snapshot.read(table) as AsyncIterable<Buffer>) count.add(data);
    if (count.totals().sha256 !== sha256) return false;
  }
  return true;
}

async function copyTable(snapshot: Snapshot, loader: Loader, table: CopiedTable): Promise<number> {
  const load = await loader.load(table);
  const count = new TableCount();
  for await (const data of snapshot.read(table) as AsyncIterable<Buffer>) {
    count.add(data);
    await load.write(data);
  }
  return load.finish(count.totals().sha256);
}
