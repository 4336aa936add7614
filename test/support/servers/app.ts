import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import type { TSchema } from 'typebox';
import { TextWorkers } from '../../../src/common/index.js';
import { SETTINGS_CHANGED, SettingsService } from '../../../src/config/index.js';
import { EMOJI_CHANGED, EmojiCache } from '../../../src/emoji/index.js';
import { RouteCatalogue } from '../../../src/instance/openapi/route-catalogue.js';
import {
  Bus,
  CACHED_OBJECTS,
  type CachedObjects,
  Database,
  type DatabaseAddress,
  type Env,
  OBJECT_STORE,
  type ObjectStore,
  readEnv,
  ReadCaches,
  Worker,
} from '../../../src/platform/index.js';
import { createApp } from '../../../src/server.js';
import { makeDatabase } from './database.js';
import { urlOf } from './ctl.js';
import { freePort } from './free-port.js';
import { S3Server } from './s3.js';
import { filesInBucket, filesOnDisk, type StoredFiles, TEST_STORAGE, type TestStorage } from './stored-files.js';
import { useStarted } from './use.js';
import { Ledger } from '../ledger.js';
import { World } from '../fixtures/world.js';

/** A busy machine must not turn long texts of tests into plain ones. */
const PATIENT_MS = 60_000;

/** A server on this machine with its own database, in this process; jobs run only on `drain()`. */
export interface TestApp {
  readonly env: Env;
  /** The address of its database, for a second server. */
  readonly address: DatabaseAddress;
  /** The environment variables of an operator command for this server. */
  readonly variables: Environment;
  /** Its uploads, emoji, archives and web apps. */
  readonly files: StoredFiles;
  readonly nest: NestExpressApplication;
  readonly http: ReturnType<typeof supertest>;
  readonly world: World;
  get<T>(type: Type<T>): T;
  /** Runs every due job until none is left. */
  drain(): Promise<number>;
  /** The rows of any statement, for checks behind the API. */
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Invalidates all cached values, except bodies of posts and accounts. */
  invalidateReads(): void;
  /** Drops cached bodies of posts and accounts, as after a start. */
  dropBodies(): Promise<void>;
  /** Empties every table; persons and tokens of the world are gone too. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a test server; `overrides` are environment variables. Without a port it gets any that is free. On S3 it has a bucket
 * of its own, unless the variables name one.
 */
export async function startApp(
  overrides: Environment = {},
  port = 0,
  storage: TestStorage = TEST_STORAGE,
): Promise<TestApp> {
  const database = await makeDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-app-'));
  const s3 = storage === 's3' && overrides['STORAGE_URL'] === undefined ? await S3Server.start() : undefined;
  const ofStorage = s3?.env('svc') ?? {};
  const env = readEnv({
    BASE_URL: 'https://svc.test',
    PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: 'ab'.repeat(32),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...ofStorage,
    ...overrides,
  });
  const nest = await createApp(env, database.address);
  const ledger = new Ledger(nest.getHttpServer(), env.brand === 'svc' ? (shapes ??= shapesOf(nest)) : new Map());
  nest.get(TextWorkers).deadlineMs = PATIENT_MS;
  const db = nest.get(Database);
  await nest.listen(port, '127.0.0.1'); // else each request of supertest would begin and end a server
  const http = supertest(nest.getHttpServer());
  const world = new World(nest, http);
  const dropBodies = async () => {
    nest.get(Bus).publish(EMOJI_CHANGED, {});
    await nest.get(EmojiCache, { strict: false }).settled();
  };
  const store = nest.get<ObjectStore | null>(OBJECT_STORE, { strict: false });
  return {
    env,
    address: database.address,
    variables: {
      ...ofStorage,
      ...overrides,
      DATABASE_URL: urlOf(database.address),
      DATA_DIR: env.dataDir,
      BASE_URL: env.baseUrl,
    },
    files: store
      ? filesInBucket(store, nest.get<CachedObjects>(CACHED_OBJECTS, { strict: false }))
      : filesOnDisk(env.dataDir),
    nest,
    http,
    world,
    get: (type) => nest.get(type, { strict: false }),
    drain: () => nest.get(Worker).drain(),
    sql: (text, values) => db.query(text, values),
    invalidateReads: () => nest.get(ReadCaches).clear(),
    dropBodies,
    reset: async () => {
      await db.query(emptyAllTables);
      nest.get(Bus).publish(SETTINGS_CHANGED, {});
      await nest.get(SettingsService, { strict: false }).settled();
      await dropBodies();
      world.forget();
    },
    close: async () => {
      await nest.close();
      await s3?.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 }); // a finished answer may still write a file there
      if (ledger.complaints.size > 0)
        throw new Error(`Answers without their shape:\n${[...ledger.complaints].join('\n')}`);
    },
  };
}

/** Starts a test server for real clients: its base URL is its address. `overrides` are environment variables. */
export async function startListeningApp(
  overrides: Environment = {},
  free?: number,
  storage?: TestStorage,
): Promise<TestApp> {
  const port = free ?? (await freePort());
  return startApp({ BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port), ...overrides }, port, storage);
}

type Environment = Record<string, string>;

export interface AppOptions {
  /** Sign up before each test, after every table was emptied. */
  readonly people?: readonly string[];
  /** Sign up before the first test; what the tests of the file write stays. */
  readonly once?: readonly string[];
  /** Environment variables; a function names the address of what the file started before. */
  readonly env?: Environment | (() => Environment);
  /** For real clients: the base URL is the address of the server. */
  readonly listening?: boolean;
  /** Where it stores its files; that of `TEST_STORAGE` unless given. */
  readonly storage?: TestStorage;
}

/** The test server of a spec file or a `describe`: it starts before the first test and is emptied before each. */
export function useApp({ people = [], once, env, listening = false, storage }: AppOptions = {}): TestApp {
  const start = listening ? startListeningApp : startApp;
  const app = useStarted(() => start(typeof env === 'function' ? env() : env, undefined, storage));
  if (once) beforeAll(() => app.world.persons(...once));
  else
    beforeEach(async () => {
      await app.reset();
      await app.world.persons(...people);
    });
  return app;
}

/** All servers of a process have the same. */
let shapes: ReturnType<typeof shapesOf> | undefined;

/** The declarations of `@Answers`. */
function shapesOf(nest: NestExpressApplication): Map<string, TSchema> {
  const routes = nest.get(RouteCatalogue, { strict: false }).all();
  return new Map(routes.flatMap(({ method, path, answer }) => (answer ? [[`${method} ${path}`, answer.shape]] : [])));
}

/** Rows that migrations made, and their own table. */
const KEPT = ['instance_totals', 'server_keys', 'migrations'];

/**
 * No row that stays refers to one that goes, so references are not checked: the check would take longer than the deletion.
 * To skip it takes a superuser. Tables that never had a row are left out. The triggers that report changes do not run
 * either: what they would report is reported once.
 */
const emptyAllTables = `
  begin;
  set local session_replication_role = replica;
  do $$
    declare used regclass;
    begin
      for used in
        select oid from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
          and relname not in (${KEPT.map((table) => `'${table}'`).join(', ')})
      loop
        execute format('delete from %s', used);
      end loop;
      perform pg_notify('svc_changes', ''), pg_notify('svc_sign_ins', '');
    end $$;
  commit`;
