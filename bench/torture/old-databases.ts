import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { Chance } from '../chance.ts';
import { type PostgresServer, schemaMaker } from '../built.ts';

type Address = PostgresServer['address'];

const FOLDER = new URL('old/', import.meta.url);
const POSTS = 500;
const FILL = `insert into accounts (id, nickname, ap_id) values ('a', 'alice', 'http://bench.test/users/alice');
  insert into statuses (id, author_id, uri, visibility, content_html, content_text, local)
    select 'p' || n, 'a', 'http://bench.test/objects/' || n, 0, 'post', 'post', true from generate_series(1, ${POSTS}) n`;
/** The migrations that make the tables which {@link FILL} fills are the first ones. */
const FIRST = 12;
/** The tables whose rows every migration keeps. */
const KEPT = [
  'accounts',
  'users',
  'statuses',
  'follows',
  'favourites',
  'bookmarks',
  'mutes',
  'blocks',
  'polls',
  'lists',
];

/** A database as an older version left it. */
export interface OldDatabase {
  readonly name: string;
  /** Makes its tables and rows in an empty database. */
  readonly fill: (address: Address) => Promise<void>;
}

/** The dumps of `bench/torture/old`, the oldest first: each was written by `pg_dump` from the database of that day's server. */
export function dumps(): OldDatabase[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql.gz'))
    .toSorted()
    .map((file) => ({
      name: `the dump ${file}`,
      fill: (address) => query(address, gunzipSync(readFileSync(fileURLToPath(new URL(file, FOLDER)))).toString()),
    }));
}

/** A database as the first so many of today's migrations leave it, with some posts. */
export function afterSomeMigrations(chance: Chance): OldDatabase {
  const known = schemaMaker.known.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
  const count = FIRST + chance.below(known.length - FIRST);
  return {
    name: `${count} migrations`,
    fill: async (address) => {
      await schemaMaker.make(address, known.slice(0, count));
      await query(address, FILL);
    },
  };
}

/** What a database holds. */
interface Content {
  /** The number of rows of each table that every migration keeps. */
  readonly rows: ReadonlyMap<string, number>;
  /** The texts of the posts, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
}

export async function contentOf(sql: pg.Client): Promise<Content> {
  const tables = await sql.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename = any($1)`,
    [KEPT],
  );
  const rows = new Map<string, number>();
  for (const { name } of tables.rows) {
    const counted = await sql.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    rows.set(name, counted.rows[0]!.count);
  }
  const posts = await sql.query<{ id: string; text: string }>('select id, content_text as text from statuses');
  return { rows, texts: new Map(posts.rows.map(({ id, text }) => [id, text])) };
}

/** What was there before and is not afterwards; a start adds rows. */
export function lessThan(before: Content, after: Content): string[] {
  const fewer = [...before.rows].filter(([table, count]) => (after.rows.get(table) ?? 0) < count);
  const changed = [...before.texts].filter(([id, text]) => after.texts.get(id) !== text);
  return [
    ...fewer.map(([table, count]) => `${table} has ${after.rows.get(table) ?? 0} rows instead of ${count}`),
    ...changed.map(([id]) => `the post ${id} is lost or changed`),
  ];
}

/** The digits at the end of the name of a migration. */
function timeOf(name: string): string {
  return name.slice(-13);
}

/** Runs statements in a session of their own: a dump changes the settings of its session. */
async function query(address: Address, text: string): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
