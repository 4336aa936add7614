import type { DatabaseAddress } from '../platform/index.js';
import { Loader } from './database/loader.sql.js';
import { requireKnown, type SchemaMaker } from './database/schema-maker.js';
import { Snapshot } from './database/snapshot.sql.js';
import type { CopiedTable } from './database/tables.sql.js';

export interface MoveOptions {
  /** Both of databases that this process has for itself. */
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
  readonly version: string;
  readonly schema: SchemaMaker;
  readonly signal?: AbortSignal | undefined;
  /** Called after each table: whether it was copied now, or is there from an earlier try. */
  readonly onTable?: (name: string, rows: number, isNew: boolean) => void;
}

/** What was moved. */
export interface MovedDatabase {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies all tables into an empty database, with the schema that the old one has. A move that did not finish goes on with
 * the first table that is not complete. The old database stays as it is.
 * @throws BackupError when the other database is not empty, or the numbers of rows differ at the end
 */
export async function moveDatabase(options: MoveOptions): Promise<MovedDatabase> {
  const { from, to, version, schema, signal, onTable } = options;
  await using snapshot = await Snapshot.open(from);
  requireKnown(snapshot.migrations, version, schema);
  await using loader = await Loader.open(to);
  const load = { kind: 'move', place: `${from.database} at ${from.host}:${from.port}` } as const;
  if (!(await loader.unfinished(load))) await loader.begin(load);
  await schema.make(to, snapshot.migrations);
  const counts = new Map(await loader.prepare());
  for (const table of snapshot.tables) {
    signal?.throwIfAborted();
    const done = counts.get(table.name);
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

async function copyTable(snapshot: Snapshot, loader: Loader, table: CopiedTable): Promise<number> {
  const load = await loader.load(table);
  const rows = snapshot.read(table);
  for await (const data of rows as AsyncIterable<Buffer>) await load.write(data);
  return load.finish();
}
