import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/platform/index.js';

const PATIENCE_MS = 45_000;
/** Node's compiled code of the programs: without it each start compiles the server anew. */
const CODE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url));

/** Repeats `ask` until it returns a value. */
export async function until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await delay(10);
  }
}

export function isAlive(pid: number): boolean {
  try {
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return state !== 'Z';
  } catch {
    return false;
  }
}

/** The process id in the pid file of the database in `dataDir`. */
export function postmasterOf(dataDir: string): number | undefined {
  const path = join(dataDir, 'postgres/data/postmaster.pid');
  if (!existsSync(path)) return undefined;
  return Number(readFileSync(path, 'utf8').split('\n')[0]);
}

export async function ask(address: DatabaseAddress, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}

/** A program under test: a real process whose output lines can be awaited. */
export class Program {
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  /** Whether it has ended and all its output is here: the exit code is known before the last lines arrive. */
  private isOver = false;

  constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream?.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split(/\r?\n/);
        rest = lines.pop() ?? '';
        this.lines.push(...lines);
      });
    }
    this.ended = new Promise((resolve) => child.once('close', resolve));
    child.once('close', () => (this.isOver = true));
  }

  get pid(): number {
    return this.child.pid!;
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** Waits for the first line that matches, which may be printed already. */
  line(pattern: RegExp): Promise<string> {
    return until(`${pattern} in:\n${this.text}`, () => {
      const found = this.lines.find((line) => pattern.test(line));
      if (found === undefined && this.isOver) {
        throw new Error(`ended with ${this.child.exitCode} without ${pattern}:\n${this.text}`);
      }
      return found;
    });
  }

  /** The URL at which the server listens, once it is ready. */
  async url(): Promise<string> {
    return / is ready at (http:\S+)/.exec(await this.line(/ is ready at /))?.[1] ?? '';
  }

  /** The address that a holder or borrower printed. */
  async address(): Promise<DatabaseAddress> {
    const line = await this.line(/^(HELD|BORROWED) /);
    return JSON.parse(line.slice(line.indexOf(' '))) as DatabaseAddress;
  }

  /** Sends the signal and returns the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** A folder for one spec file. When the file or the run ends, it is removed and its processes are killed. */
export class Scratch {
  readonly root = mkdtempSync(join(tmpdir(), 'svc-proc-'));
  private readonly guard: ChildProcess;
  private count = 0;
  private model: string | undefined;

  constructor() {
    chmodSync(this.root, 0o711);
    mkdirSync(join(this.root, 't'));
    chmodSync(join(this.root, 't'), 0o1777);
    const script = fileURLToPath(new URL('../support/guard.sh', import.meta.url));
    this.guard = spawn('sh', [script, this.root], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  }

  /** A DATA_DIR that does not exist yet. */
  dataDir(): string {
    this.count += 1;
    return join(this.root, `d${this.count}`);
  }

  /** A DATA_DIR with a database that does not run. */
  async stoppedDatabase(): Promise<string> {
    this.model ??= await this.makeDatabase();
    const dataDir = this.dataDir();
    execFileSync('cp', ['-a', this.model, dataDir]);
    return dataDir;
  }

  private async makeDatabase(): Promise<string> {
    const dataDir = this.dataDir();
    const maker = this.node('borrower', [dataDir]);
    await maker.address();
    await maker.stop();
    return dataDir;
  }

  run(command: string, args: readonly string[], options: SpawnOptions = {}): Program {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      ...options,
      env: { PATH: process.env['PATH'], TMPDIR: join(this.root, 't'), NODE_COMPILE_CACHE: CODE_CACHE, ...options.env },
    });
    appendFileSync(join(this.root, 'pids'), `${child.pid ?? ''}\n`);
    return new Program(child);
  }

  /** Runs one of the programs beside this file under Node. */
  node(program: 'holder' | 'borrower', args: readonly string[], options: SpawnOptions = {}): Program {
    return this.run(process.execPath, [programPath(program), ...args], options);
  }

  async remove(): Promise<void> {
    const gone = new Promise((resolve) => this.guard.once('exit', resolve));
    this.guard.stdin?.end();
    await gone;
  }
}

export function programPath(name: string): string {
  return fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));
}
