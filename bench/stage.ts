import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
/** So many last lines of a process are kept. */
const LINES = 50;

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

/** What a stage has beside its defaults. */
export interface StageOptions {
  /** The folder whose `dist` is the server; that of this project by default. */
  readonly root?: string;
  /** Where its own folder is made; with other temporary files by default. */
  readonly parent?: string;
  /** Further settings of its PostgreSQL. */
  readonly postgres?: Environment;
  /** The folder of its PostgreSQL, which stays; one in its own folder by default. */
  readonly keep?: string;
}

/** The name of a copy of a database that is kept. */
const COPY = 'bench_copy';

/** Collects the garbage of a server and prints the rest when it is asked. */
export const LIVE_HEAP = ['--expose-gc', '--import', fileURLToPath(new URL('fill/live-heap.mjs', import.meta.url))];

/**
 * Everything that the benchmark starts, in its own folder: a durable PostgreSQL, the server and a bare node:http. All of
 * it stops with the stage; when this process is killed, a guard stops it.
 */
export class Stage implements AsyncDisposable {
  sql: pg.Client;
  /** Removed with the stage. */
  readonly folder: string;
  private readonly guard: ChildProcess;
  private readonly root: string;
  private postgres: PostgresServer;
  private readonly children: ChildProcess[] = [];
  /** The last lines of each process, by its id. */
  private readonly output = new Map<number, string[]>();

  private readonly settings: Environment;
  /** The folder of PostgreSQL's own. */
  private readonly dataDir: string;
  /** The name of the database, when it is not that of PostgreSQL's address. */
  private database: string | undefined;

  private constructor(
    folder: string,
    guard: ChildProcess,
    postgres: PostgresServer,
    root: string,
    settings: Environment,
    dataDir: string,
  ) {
    this.folder = folder;
    this.dataDir = dataDir;
    this.root = root;
    this.settings = settings;
    this.guard = guard;
    this.postgres = postgres;
    this.sql = clientOf(postgres.address);
  }

  /** Starts PostgreSQL with the settings of `npm start` and the newest schema in it. */
  static async build(
    signal: AbortSignal,
    { root = ROOT, parent = tmpdir(), postgres: settings = {}, keep }: StageOptions = {},
  ): Promise<Stage> {
    const folder = await mkdtemp(join(parent, 'svc-bench-'));
    const script = join(ROOT, 'test/support/guard.sh');
    const guard = spawn('sh', [script, folder], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      const dataDir = keep === undefined ? folder : resolve(keep);
      // The guard ends the PostgreSQL of each such file that it finds, and removes no more than the link.
      if (keep !== undefined)
        await symlink(join(dataDir, 'postgres/data/postmaster.pid'), join(folder, 'postmaster.pid'));
      const postgres = await EmbeddedPostgres.startOrJoin({ dataDir, signal, settings });
      const stage = new Stage(folder, guard, postgres, root, settings, dataDir);
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

  /** The address of its database, for a superuser. */
  get address(): PostgresServer['address'] {
    const { address } = this.postgres;
    return { ...address, database: this.database ?? address.database };
  }

  /** Uses a copy of the database until the end of the stage, so that the database stays as it is. */
  async useCopy(): Promise<void> {
    const { database } = this.postgres.address;
    await this.connectTo({ ...this.postgres.address, database: 'postgres' });
    await this.sql.query(`drop database if exists ${COPY} with (force)`);
    await this.sql.query(`create database ${COPY} template "${database}" strategy file_copy`);
    this.database = COPY;
    await this.connectTo(this.address);
  }

  private async dropCopy(): Promise<void> {
    this.database = undefined;
    await this.connectTo({ ...this.postgres.address, database: 'postgres' });
    await this.sql.query(`drop database if exists ${COPY} with (force)`);
  }

  /** Kills PostgreSQL: it recovers at its next start. */
  killDatabase(): void {
    process.kill(this.postgres.pid, 'SIGQUIT');
  }

  /** Starts PostgreSQL again, if it has ended, with the same settings. */
  async startDatabase(): Promise<void> {
    this.postgres = await EmbeddedPostgres.startOrJoin({ dataDir: this.dataDir, settings: this.settings });
    await this.connectTo(this.address);
  }

  /** Uses another database for `sql` from now on. */
  async connectTo(address: PostgresServer['address']): Promise<void> {
    await this.sql.end().catch(() => undefined);
    this.sql = clientOf(address);
    await this.sql.connect();
  }

  /** Starts the built server as `npm start` does, on the stage's database; `more` are further flags of Node. */
  async startServer(settings: Environment = {}, startMs = START_MS, more: readonly string[] = []): Promise<Listener> {
    const { flags, env } = startCommand();
    const args = [...flags, ...more, join(this.root, 'dist/main.js')];
    return this.start(args, { ...env, ...this.environment(settings) }, / Listening: \S*:(\d+)/, startMs);
  }

  /** Runs an operator command; the settings are those of the server. */
  async ctl(words: readonly string[], settings: Environment = {}): Promise<void> {
    const env = { PATH: process.env['PATH'], ...this.environment(settings) };
    await promisify(execFile)(process.execPath, [join(this.root, 'dist/ctl.js'), ...words], { cwd: ROOT, env });
  }

  /** The address of its database. */
  get databaseUrl(): string {
    const { user, password, host, port, database } = this.address;
    const query = new URLSearchParams({ host, port: String(port) }).toString();
    return `postgres://${user}:${password}@/${database}?${query}`;
  }

  private environment(settings: Environment): Environment {
    return {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: join(this.folder, 'server'),
      PORT: '0',
      BASE_URL,
      SECRET_KEY,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    };
  }

  /** Stops a server; its database keeps running. Returns its exit code, null when the signal ended it. */
  async stopServer({ pid }: Listener, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.children.find((one) => one.pid === pid);
    if (child) await endChild(child, signal);
    return child?.exitCode ?? null;
  }

  /** The last lines that a server has printed. */
  linesOf({ pid }: Listener): readonly string[] {
    return this.output.get(pid) ?? [];
  }

  /** MB that a server's objects take after a collection: its heap, and the buffers beside it. */
  async liveHeapOf(server: Listener, signal: AbortSignal): Promise<number> {
    const lines = this.output.get(server.pid)!;
    lines.length = 0;
    process.kill(server.pid, 'SIGUSR2');
    for (;;) {
      const found = lines.map((line) => /^live heap (\S+)$/.exec(line)?.[1]).find((mb) => mb !== undefined);
      if (found !== undefined) return Number(found);
      if (!this.isRunning(server)) throw new Error('The server has ended');
      await delay(20, undefined, { signal });
    }
  }

  /** Whether a server runs. */
  isRunning({ pid }: Listener): boolean {
    return this.children.some((one) => one.pid === pid && one.exitCode === null && one.signalCode === null);
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
    await Promise.all(this.children.map((child) => endChild(child)));
    if (this.database !== undefined) await this.dropCopy().catch(() => undefined); // the next run removes it
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

  private async start(args: readonly string[], env: Environment, ready: RegExp, startMs = START_MS): Promise<Listener> {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    this.output.set(child.pid!, []);
    appendFileSync(join(this.folder, 'pids'), `${child.pid ?? ''}\n`);
    const late = setTimeout(() => child.kill('SIGKILL'), startMs);
    const port = await portOf(child, ready, this.output.get(child.pid!)!).finally(() => clearTimeout(late));
    return { pid: child.pid!, port };
  }
}

function clientOf(address: PostgresServer['address']): pg.Client {
  const client = new pg.Client(address);
  client.on('error', () => undefined); // the connection ends with the database
  return client;
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

/** Reads the port from the first line that says it; `output` gets the last lines from then on, too. */
function portOf(child: ChildProcess, ready: RegExp, output: string[]): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! });
    lines.on('line', (line) => {
      output.push(line);
      if (output.length > LINES) output.shift();
      const port = ready.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    lines.on('close', () => reject(new Error(`${child.spawnargs.at(-1)} ended early: ${output.join('\n')}`)));
  });
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function dismiss(guard: ChildProcess): Promise<void> {
  const gone = once(guard, 'exit');
  guard.stdin?.end();
  await gone;
}
