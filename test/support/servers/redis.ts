import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { Redis } from 'ioredis';
import { type Program, Scratch } from '../../process/scratch.js';
import { freePort } from './listen.js';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

/** A `describe` that is skipped, and says why, on a machine without Redis. */
export const describeWithRedis = isInstalled ? describe : describeWithoutRedis;

function describeWithoutRedis(name: string, cases: () => void): void {
  process.stderr.write(`Skipped, since redis-server is not on PATH: ${name}\n`);
  describe.skip(name, cases);
}

/** A real redis-server that keeps nothing on disk; it ends with the scratch folder it was started in. */
export class RedisServer {
  readonly url: string;

  private constructor(
    private readonly scratch: Scratch,
    private readonly port: number,
    private program: Program,
  ) {
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(scratch: Scratch): Promise<RedisServer> {
    const port = await freePort();
    return new RedisServer(scratch, port, await launch(scratch, port));
  }

  /** Ends it as a crash would: all that it held is gone. */
  async kill(): Promise<void> {
    await this.program.stop('SIGKILL');
  }

  /** Starts it again, empty, where it was. */
  async startAgain(): Promise<void> {
    this.program = await launch(this.scratch, this.port);
  }

  /** Lets it hang, with its connections open. */
  pause(): Promise<void> {
    this.program.child.kill('SIGSTOP');
    return Promise.resolve();
  }

  resume(): Promise<void> {
    this.program.child.kill('SIGCONT');
    return Promise.resolve();
  }

  /** Runs a command on a connection of its own. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const connection = new Redis(this.url);
    try {
      return await connection.call(name, ...args);
    } finally {
      connection.disconnect();
    }
  }
}

/** An address at which no Redis answers. */
export async function noRedis(): Promise<string> {
  return `redis://127.0.0.1:${await freePort()}`;
}

async function launch(scratch: Scratch, port: number): Promise<Program> {
  const settings = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', dir: join(scratch.root, 't') };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const program = scratch.run('redis-server', args);
  await program.line(/Ready to accept connections/);
  return program;
}
