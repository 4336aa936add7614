import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DatabaseAddress } from '../../../src/platform/index.js';

const CTL = fileURLToPath(new URL('../../../dist/ctl.js', import.meta.url));
/** Compiled code makes commands start faster. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/ctl', import.meta.url));

/** The result of an operator command. */
export interface CtlResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs an operator command in its own process, without a terminal. */
export function runCtl(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CtlResult> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, SECRET_KEY: 'ab'.repeat(32), ...env } };
    const child = execFile(process.execPath, [CTL, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out: out.trimEnd(), err: err.trimEnd() });
    });
    child.stdin?.end();
  });
}

/** The `DATABASE_URL` of an address whose host is a socket's folder. */
export function urlOf({ user, password, host, port, database }: DatabaseAddress): string {
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@/${database}?${query.toString()}`;
}
