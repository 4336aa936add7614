import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { runOperatorCommand } from '../../../src/operator-command.js';
import type { DatabaseAddress } from '../../../src/platform/index.js';

const CTL = fileURLToPath(new URL('../../../dist/ctl.js', import.meta.url));
const SECRET_KEY = 'ab'.repeat(32);

/** The result of an operator command. */
export interface CtlResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Environment = Readonly<Record<string, string>>;

let running: Promise<unknown> = Promise.resolve();

/** Runs an operator command in this process, which has loaded the server already: one after the other. */
export function runCtl(env: Environment, ...args: readonly string[]): Promise<CtlResult> {
  return runCtlUntil(new AbortController().signal, env, ...args);
}

/** As {@link runCtl}, for a command that an operator interrupts. */
export function runCtlUntil(signal: AbortSignal, env: Environment, ...args: readonly string[]): Promise<CtlResult> {
  const result = running.then(() => runHere(env, args, signal));
  running = result;
  return result;
}

async function runHere(env: Environment, args: readonly string[], signal: AbortSignal): Promise<CtlResult> {
  const out: string[] = [];
  const err: string[] = [];
  const output = {
    log: (...words: unknown[]) => void out.push(format(...words)),
    error: (...words: unknown[]) => void err.push(format(...words)),
  };
  const code = await runOperatorCommand(args, { SECRET_KEY, ...env }, signal, output);
  return { code, out: out.join('\n').trimEnd(), err: err.join('\n').trimEnd() };
}

/** Runs an operator command in its own process, without a terminal. */
export function runCtlProcess(env: Environment, ...args: readonly string[]): Promise<CtlResult> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], SECRET_KEY, ...env } };
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
