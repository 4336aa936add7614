import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DatabaseAddress } from '../../../src/platform/index.js';

const CTL = fileURLToPath(new URL('../../../dist/ctl.js', import.meta.url));
/** Commands begin sooner with code that is compiled already. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/ctl', import.meta.url));

/** How an operator command ended. */
export interface CtlResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs an operator command as a process of its own, without a terminal. */
export function runCtl(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CtlResult> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, SECRET_KEY: 'ab'.repeat(32), ...env } };
    const child = execFile(process.execPath, [CTL, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out: out.trimEnd(), err: err.trimEnd() });
    });
    child.stdin?.end();
  });
}

/** The `DATABASE_URL` of an address whose host is the folder of a socket. */
export function urlOf({ user, password, host, port, database }: DatabaseAddress): string {
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@/${database}?${query.toString()}`;
}
