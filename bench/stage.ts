import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { EmbeddedPostgres, migrate, type PostgresServer } from './built.ts';
import type { Data } from './data.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 60_000;
const SETTLE_MS = 300_000;
const QUIET_MS = 100;

/** The server's own address in the benchmark; it is never looked up. */
export const BASE_URL = 'http://bench.test';

/** Seals the keys of accounts. */
export const SECRET_KEY = 'be'.repeat(32);

/** Environment variables. */
type Environment = Readonly<Record<string, string>>;

/** What a part of a test under attack works with. */
export interface Scene {
  readonly stage: Stage;
  readonly data: Data;
  readonly signal: AbortSignal;
}

/** A process that accepts requests. */
export interface Listener {
  readonly pid: number;
  readonly port: number;
}

/**
 * Everything that the benchmark starts, in its own folder: a durable PostgreSQL, the server and a bare node:http. All of
 * it stops with the stage; when this process is killed, a guard stops it.
 */
export class Stage implements AsyncDisposable {
  readonly sql: pg.Client;
  /** Removed with the stage. */
  readonly folder: string;
  private readonly guard: ChildProcess;
  private readonly postgres: PostgresServer;
  private readonly children: ChildProcess[] = [];

  private constructor(folder: string, guard: ChildProcess, postgres: PostgresServer) {
    this.folder = folder;
    this.guard = guard;
    this.postgres = postgres;
    this.sql = new pg.Client(postgres.address);
    this.sql.on('error', () => undefined); // the connection ends with the database
  }

  /** Starts PostgreSQL with the settings of `npm start` and the newest schema in it. */
  static async build(signal: AbortSignal): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const script = join(ROOT, 'test/support/guard.sh');
    const guard = spawn('sh', [script, folder], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      const postgres = await EmbeddedPostgres.startOrJoin({ dataDir: folder, signal });
      const stage = new Stage(folder, guard, postgres);
      await migrate(postgres.address);
      await stage.sql.connect();
      return stage;
    } catch (error) {
      await dismiss(guard);
      throw error;
    }
  }

  get postgresPid(): number {
    return this.postgres.pid;
  }

  /** Starts the built server as `npm start` does, on the stage's database. */
  async startServer(settings: Environment = {}): Promise<Listener> {
    const { flags, env } = startCommand();
    const args = [...flags, join(ROOT, 'dist/main.js')];
    return this.start(args, { ...env, ...this.environment(settings) }, / Listening: \S*:(\d+)/);
  }

  /** Runs an operator command; the settings are those of the server. */
  async ctl(words: readonly string[], settings: Environment = {}): Promise<void> {
    const env = { PATH: process.env['PATH'], ...this.environment(settings) };
    await promisify(execFile)(process.execPath, [join(ROOT, 'dist/ctl.js'), ...words], { cwd: ROOT, env });
  }

  private environment(settings: Environment): Environment {
    const { user, password, host, port, database } = this.postgres.address;
    const query = new URLSearchParams({ host, port: String(port) }).toString();
    return {
      DATABASE_URL: `postgres://${user}:${password}@/${database}?${query}`,
      DATA_DIR: join(this.folder, 'server'),
      PORT: '0',
      BASE_URL,
      SECRET_KEY,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    };
  }

  /** Stops a server; its database keeps running. */
  async stopServer({ pid }: Listener): Promise<void> {
    const child = this.children.find((one) => one.pid === pid);
    if (child) await endChild(child);
  }

  startBaseline(): Promise<Listener> {
    return this.start([join(ROOT, 'bench/baseline.ts')], {}, /^(\d+)$/);
  }

  /** Waits until the server has done every due job, and stored the effects of all activities. */
  async settled(signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + SETTLE_MS;
    while (await this.isBusy()) {
      if (Date.now() > deadline) throw new Error('The server did not finish its jobs');
      await delay(QUIET_MS, undefined, { signal });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.children.map(endChild));
    await this.sql.end().catch(() => undefined);
    await this.postgres.stop();
    await dismiss(this.guard);
  }

  /** A claimed job is due later, but has been attempted. */
  private async isBusy(): Promise<boolean> {
    const { rowCount } = await this.sql.query(
      `(select from jobs where parked_at is null and (run_at <= now() or attempts > 0) limit 1)
       union all (select from inbox_queue limit 1)`,
    );
    return rowCount !== 0;
  }

  private async start(args: readonly string[], env: Environment, ready: RegExp): Promise<Listener> {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    appendFileSync(join(this.folder, 'pids'), `${child.pid ?? ''}\n`);
    return { pid: child.pid!, port: await portOf(child, ready) };
  }
}

/** What `npm start` gives Node: flags and environment variables. */
function startCommand(): { readonly flags: readonly string[]; readonly env: Environment } {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('='));
  return {
    flags: words.filter((word) => /^--[\w-]+(=\d+)?$/.test(word)), // not the file of an operator's environment
    env: Object.fromEntries(variables) as Environment,
  };
}

async function portOf(child: ChildProcess, ready: RegExp): Promise<number> {
  const lines = createInterface({ input: child.stdout! });
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    for await (const line of lines) {
      const port = ready.exec(line)?.[1];
      if (port !== undefined) return Number(port);
    }
    throw new Error(`${child.spawnargs.at(-1)} ended before it was ready`);
  } finally {
    clearTimeout(late);
    child.stdout!.resume();
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function dismiss(guard: ChildProcess): Promise<void> {
  const gone = once(guard, 'exit');
  guard.stdin?.end();
  await gone;
}
