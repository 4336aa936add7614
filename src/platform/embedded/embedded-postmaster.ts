import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../env/errors.js';
import type { Cluster } from './embedded-cluster.js';
import { boundLog } from './embedded-log.js';
import { commandOf, PROGRAM_ENVIRONMENT } from './embedded-program.js';
import { SOCKET_PORT } from './embedded-socket.js';

/** The entries of a running server in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly socketDir: string;
  readonly port: number;
  /** `ready` when it accepts connections, else `starting` or `stopping`. */
  readonly status: string;
}

/** A small footprint, safe writes, and a vacuum that keeps up with small hot tables. */
const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  port: String(SOCKET_PORT),
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic', // statements carry texts of users
  log_error_verbosity: 'terse', // so do details, such as the values of a key that exists already
};

const FAST_SHUTDOWN = 'SIGINT';
const IMMEDIATE_SHUTDOWN = 'SIGQUIT'; // no data is lost: the next start recovers from the log
const PATIENCE_MS = 30_000;

/** The running server of this cluster, started by any process. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const file = await readPidFile(cluster);
  return file?.folder === cluster.data && (await runs(file.pid, cluster)) ? file : undefined;
}

/** True while the process is the server of this cluster, not a zombie and not a process that got its id later. */
async function runs(pid: number, cluster: Cluster): Promise<boolean> {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster.data);
  }
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (line !== '') return line.split('\0').includes(cluster.data);
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /\(postgres\) [^ZX] /.test(state); // a process that is ending has no command line any more
}

async function readPidFile({ data }: Cluster): Promise<(Postmaster & { folder: string }) | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  const [pid = '', folder = '', , port = '', socketDir = '', , , status = ''] = text.split('\n');
  return pid === '' ? undefined : { pid: Number(pid), folder, socketDir, port: Number(port), status: status.trim() };
}

/** The result of an attempt to launch the server. */
export type Launch = { readonly pid: number } | { readonly failure: string };

/**
 * Launches the server in a session of its own, so that it outlives this process, and waits until it accepts
 * connections.
 */
export async function launchPostmaster(
  cluster: Cluster,
  socketDir: string,
  settings: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Launch> {
  await boundLog(cluster.logFile).catch(() => undefined); // a long log holds up no start
  await using log = await open(cluster.logFile, 'a', 0o600);
  const { size: before } = await log.stat();
  const child = await spawnPostmaster(
    cluster,
    { ...SERVER_SETTINGS, unix_socket_directories: socketDir, ...settings },
    log.fd,
  );
  const end = endOf(child);
  while (!end.reached) {
    const file = await readPidFile(cluster);
    if (signal?.aborted) child.kill(FAST_SHUTDOWN);
    else if (file?.status === 'ready' && file.pid === child.pid) return { pid: file.pid };
    await delay(5);
  }
  return { failure: end.reason || (await textFrom(cluster.logFile, before)) };
}

async function spawnPostmaster(cluster: Cluster, settings: Readonly<Record<string, string>>, log: number) {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const line = commandOf(cluster.identity, cluster.programs.postgres, ['-D', cluster.data, ...args]);
  const env = { ...PROGRAM_ENVIRONMENT, ...(await pardon(cluster)) };
  const child = spawn(line.command, line.args, { ...line.options, env, stdio: ['ignore', log, log] });
  child.unref();
  return child;
}

/**
 * After a crash another program may have the id in `postmaster.pid`, and PostgreSQL would take it for a running server.
 * PostgreSQL ignores the id in this variable (meant for the shell above pg_ctl), and keeps all its other checks, unlike
 * after removing the file.
 */
async function pardon(cluster: Cluster): Promise<Record<string, string>> {
  const file = await readPidFile(cluster);
  if (!file || (await runs(file.pid, cluster))) return {};
  return { PG_GRANDPARENT_PID: String(file.pid) };
}

function endOf(child: ChildProcess): { reached: boolean; reason: string } {
  const end = { reached: false, reason: '' };
  child.once('error', (error) => Object.assign(end, { reached: true, reason: error.message }));
  child.once('exit', () => Object.assign(end, { reached: true }));
  return end;
}

async function textFrom(path: string, position: number): Promise<string> {
  const text = (await readFile(path)).subarray(position).toString('utf8').trim();
  return text.split('\n').slice(-12).join('\n');
}

/** Stops the server and waits for its end: open connections break, answered commits stay. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  const start = performance.now();
  let sent: NodeJS.Signals | undefined;
  while (await runs(pid, cluster)) {
    const due = performance.now() - start < PATIENCE_MS ? FAST_SHUTDOWN : IMMEDIATE_SHUTDOWN;
    if (due !== sent) signalTo(pid, due);
    sent = due;
    await delay(5);
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error; // it ended by itself
  }
}
