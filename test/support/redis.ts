import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

const PATIENCE_MS = 10_000;

/** Whether this machine can run the cases that need Redis; says so once where it cannot. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('redis-server is not on PATH: the cases with several processes are skipped');

/** A real redis-server on a free port of loopback, which keeps nothing on disk and ends with the run, however that ends. */
export class RedisServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-redis-'));
  private readonly guard: ChildProcess;
  private server: ChildProcess | undefined;
  private port = 0;

  constructor() {
    const script = fileURLToPath(new URL('guard.sh', import.meta.url));
    this.guard = spawn('sh', [script, this.folder], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  }

  /** For REDIS_URL; known once it was started, and the same afterwards. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const listen = ['--port', String(this.port), '--bind', '127.0.0.1'];
    const settings = [...listen, '--save', '', '--appendonly', 'no', '--dir', this.folder];
    this.server = spawn('redis-server', settings, { stdio: 'ignore' });
    appendFileSync(join(this.folder, 'pids'), `${this.server.pid ?? ''}\n`);
    await this.command((redis) => redis.ping());
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    const server = this.server;
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  /** Forgets everything it holds. */
  flush(): Promise<unknown> {
    return this.command((redis) => redis.flushall());
  }

  async remove(): Promise<void> {
    await this.kill();
    const gone = once(this.guard, 'exit');
    this.guard.stdin?.end();
    await gone;
  }

  private async command(run: (redis: Redis) => Promise<unknown>): Promise<unknown> {
    const redis = new Redis(this.url, { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    try {
      return await run(redis);
    } finally {
      redis.disconnect();
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks again until it is true; for what happens in other processes and cannot be awaited. */
export async function until(what: string, ask: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await delay(10);
  }
}
