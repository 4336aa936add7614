import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Program, Scratch } from '../../process/scratch.js';
import { freePort } from './free-port.js';

/** A real redis-server without persistence; it ends with its scratch folder. */
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

  /** Kills it like a crash: all its data is lost. */
  async kill(): Promise<void> {
    await this.program.stop('SIGKILL');
  }

  /** Restarts it, empty, at the same address. */
  async startAgain(): Promise<void> {
    this.program = await launch(this.scratch, this.port);
  }

  /** Suspends it, with its connections open. */
  pause(): Promise<void> {
    this.program.child.kill('SIGSTOP');
    return Promise.resolve();
  }

  resume(): Promise<void> {
    this.program.child.kill('SIGCONT');
    return Promise.resolve();
  }

  /** Runs a command on its own connection. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const connection = new Redis(this.url);
    try {
      return await connection.call(name, ...args);
    } finally {
      connection.disconnect();
    }
  }
}

async function launch(scratch: Scratch, port: number): Promise<Program> {
  const settings = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', dir: join(scratch.root, 't') };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const program = scratch.run('redis-server', args);
  await program.line(/Ready to accept connections/);
  return program;
}
