import { spawnSync } from 'node:child_process';
import { freePort } from './free-port.js';

export { RedisServer } from './redis-server.js';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

/** A `describe` that is skipped with a reason on a machine without Redis. */
export const describeWithRedis = isInstalled ? describe : describeWithoutRedis;

function describeWithoutRedis(name: string, cases: () => void): void {
  process.stderr.write(`Skipped, since redis-server is not on PATH: ${name}\n`);
  describe.skip(name, cases);
}

/** An address without a Redis. */
export async function noRedis(): Promise<string> {
  return `redis://127.0.0.1:${await freePort()}`;
}
