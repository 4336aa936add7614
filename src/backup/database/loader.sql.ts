import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { type DatabaseAddress, hasCode, messageOf } from '../../platform/index.js';
import { BackupError, DataRefused, refusalOf } from '../model/backup-error.js';
import { openSession } from './session.sql.js';
import { type CopiedTable, copyTarget, quoted, type Sequence, tablesOf } from './tables.sql.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Why a database is being filled. */
export type LoadKind = 'restore' | 'move';

/** A load that has begun: which one, and where its rows come from or its files go to. */
export interface Load {
  readonly kind: LoadKind;
  readonly place: string;
  /** Of a restore: lies in the places of its files too, until it finishes. */
  readonly id?: string | undefined;
}

/** The rows of a table that was loaded. */
export interface LoadedRows {
  readonly rows: number;
  /** Of the data that they were loaded from, as hex; null where nothing compares it. */
  readonly sha256: string | null;
}

/** Everything in the schema but what extensions made, tables first; `into` is for plpgsql. */
const foreignObjects = (
  into = '',
) => `select o.type, o.identity ${into} from pg_depend s, pg_identify_object(s.classid, s.objid, 0) o
  where s.refclassid = 'pg_namespace'::regclass and s.refobjid = current_schema()::regnamespace and s.deptype = 'n'
    and not exists (select from pg_depend e where e.classid = s.classid and e.objid = s.objid and e.deptype = 'e')
  order by o.type <> 'table', o.identity limit 1`;

/** Removes all of that: the load that did not finish made it. */
const removeAll = `do $$ declare each record; begin
  loop
    ${foreignObjects('into each')};
    exit when not found;
    execute format('drop %s %s cascade', each.type, each.identity);
  end loop;
end $$`;

const makeMarks = `create table unfinished_load (kind text not null, place text not null, id text);
  create table unfinished_load_tables (name text primary key, rows bigint not null, sha256 text)`;

/**
 * Fills an empty database. From the first moment to the last a mark in the database says that it is not complete: the
 * server does not start on it (`requireComplete` in `src/migrate.ts`). Works for every owner of the schema, without a
 * superuser: rows come in the order of the foreign keys, which stay in force, and our own triggers do not run.
 */
export class Loader {
  private constructor(private readonly client: pg.Client) {}

  static async open(address: DatabaseAddress): Promise<Loader> {
    return new Loader(await openSession(address));
  }

  /**
   * This load, if it began in the database and did not finish.
   * @throws BackupError when another one did
   */
  async unfinished({ kind, place }: Load): Promise<Load | undefined> {
    const found = await unfinishedLoad(async (text) => (await this.client.query<Record<string, unknown>>(text)).rows);
    if (!found || (found.kind === kind && found.place === place)) return found;
    throw new BackupError(`The database holds an unfinished ${found.kind} (${found.place}). Use an empty one.`);
  }

  /** @throws BackupError when something is in the database, or its user may not make tables */
  async begin(load: Load): Promise<void> {
    const { rows } = await this.client.query<{ type: string; identity: string }>(foreignObjects());
    const [found] = rows;
    if (found)
      throw new BackupError(`The database is not empty: it has the ${found.type} ${found.identity}. Use an empty one.`);
    await this.mark(load, '');
  }

  /** Removes all that an unfinished load made, and begins again. */
  async beginAgain(load: Load): Promise<void> {
    await this.mark(load, removeAll);
  }

  /** What was loaded, by table. */
  async loaded(): Promise<ReadonlyMap<string, LoadedRows>> {
    const { rows } = await this.client.query<{ name: string; rows: string; sha256: string | null }>(
      'select name, rows::text, sha256 from unfinished_load_tables',
    );
    return new Map(rows.map(({ name, rows: count, sha256 }) => [name, { rows: Number(count), sha256 }]));
  }

  /** Removes the rows that migrations made, from all tables that are not loaded. */
  async prepare(): Promise<void> {
    const loaded = await this.loaded();
    const others = (await tablesOf(this.client)).filter(({ name }) => !loaded.has(name));
    if (others.length > 0) await this.client.query(`truncate ${others.map(({ name }) => quoted(name)).join(', ')}`);
  }

  /** The tables that the migrations made. */
  async tables(): Promise<CopiedTable[]> {
    return tablesOf(this.client);
  }

  /** Begins to load a table: in one transaction with the note that it is loaded. */
  async load(table: CopiedTable): Promise<TableLoad> {
    await this.client.query(`begin; alter table ${quoted(table.name)} disable trigger user`);
    return new TableLoad(this.client, table.name, copyTarget(table));
  }

  /** @throws DataRefused for a sequence that is not there, or cannot have the value */
  async setSequences(sequences: readonly Sequence[]): Promise<void> {
    for (const { table, column, lastValue, isCalled } of sequences) {
      const values = [quoted(table), column, lastValue, isCalled];
      const text = 'select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4) as value';
      const setting = this.client.query<{ value: string | null }>(text, values).catch((error: unknown) => {
        throw refusalOf(`the sequence of ${table}`, error);
      });
      if ((await setting).rows[0]?.value == null)
        throw new DataRefused(`the sequence of ${table}`, new Error(`${column} has none`));
    }
  }

  /** @throws BackupError when the table has another number of rows */
  async requireCount(name: string, wanted = 0): Promise<void> {
    const { rows } = await this.client.query<{ count: string }>(`select count(*)::text as count from ${quoted(name)}`);
    const count = rows[0]?.count ?? '0';
    if (count !== String(wanted)) throw new BackupError(`${name} has ${count} rows, and should have ${wanted}.`);
  }

  /** Gives the planner figures of the new rows. */
  async analyze(tables: readonly CopiedTable[]): Promise<void> {
    for (const { name } of tables) await this.client.query(`analyze ${quoted(name)}`);
  }

  /** Removes the mark: the database is complete. */
  async finish(): Promise<void> {
    await this.client.query('drop table unfinished_load_tables, unfinished_load');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end();
  }

  private async mark({ kind, place, id }: Load, before: string): Promise<void> {
    try {
      await this.client.query('begin');
      if (before) await this.client.query(before);
      await this.client.query(makeMarks);
      await this.client.query('insert into unfinished_load (kind, place, id) values ($1, $2, $3)', [kind, place, id]);
      await this.client.query('commit');
    } catch (error) {
      await this.client.query('rollback');
      if (!hasCode(error, INSUFFICIENT_PRIVILEGE)) throw error;
      throw new BackupError(`The user may not make tables there: ${messageOf(error)}. Make it the owner.`, {
        cause: error,
      });
    }
  }
}

/** A table that is being filled. */
export class TableLoad {
  private readonly copy;
  private failure: unknown;

  constructor(
    private readonly client: pg.Client,
    readonly name: string,
    target: string,
  ) {
    this.copy = client.query(from(`copy ${target} from stdin`));
    this.copy.on('error', (error: unknown) => {
      this.failure ??= error;
      this.copy.destroy(); // else it would send what it still holds to the connection that it lost
    });
  }

  /**
   * Adds data in the text form of `copy`; resolves when there is room for more.
   * @throws DataRefused when the database refuses what came before
   */
  async write(data: Buffer): Promise<void> {
    await this.explained(async () => {
      if (!this.copy.write(data)) await once(this.copy, 'drain');
    });
  }

  /**
   * Commits the rows, with the note that they are complete; returns their number.
   * @throws DataRefused when the database refuses them
   */
  async finish(sha256?: string): Promise<number> {
    await this.explained(async () => {
      this.copy.end();
      await finished(this.copy);
    });
    const { rowCount } = this.copy;
    await this.client.query(`alter table ${quoted(this.name)} enable trigger user`);
    const note = 'insert into unfinished_load_tables (name, rows, sha256) values ($1, $2, $3)';
    await this.client.query(note, [this.name, rowCount, sha256]);
    await this.client.query('commit');
    return rowCount;
  }

  private async explained(work: () => Promise<void>): Promise<void> {
    try {
      if (this.failure === undefined) await work();
    } catch (error) {
      this.failure ??= error;
    }
    if (this.failure !== undefined) throw refusalOf(`the rows of ${this.name}`, this.failure);
  }
}

/** The load that began in a database and did not finish; `ask` returns the rows of a statement. */
export async function unfinishedLoad(
  ask: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Promise<Load | undefined> {
  const [found] = await ask(`select to_regclass(current_schema() || '.unfinished_load') is not null as there`);
  if (found?.['there'] !== true) return undefined;
  const [load] = await ask('select * from unfinished_load'); // an older program made no id
  return load as Load | undefined;
}
