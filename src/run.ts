import { once } from 'node:events';
import { inspect } from 'node:util';
import {
  attachDatabase,
  type BorrowedDatabase,
  type Env,
  databaseExists,
  leaseDatabase,
  HttpServer,
  IdleCollector,
  isOneOfSeveral,
  listenProblem,
  readEnv,
  serverSession,
  sourceMapped,
  startProblem,
} from './platform/index.js';
import { startServer } from './server.js';

/**
 * Runs the server until its end; everything that was started is stopped, newest first, after any
 * failure. Resolves after `signal`, also during the start.
 * @param log lines for the operator
 * @throws StartError when it cannot start, or when another server took its database
 */
export async function run(
  source: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  new IdleCollector().start();
  try {
    while (await serve(readEnv(source), log, signal)) log('Starting again');
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

/** Resolves to true when the server should start again. */
async function serve(env: Env, log: (line: string) => void, signal: AbortSignal): Promise<boolean> {
  await using undo = new AsyncDisposableStack();
  const lost = new AbortController();
  const http = new HttpServer(env);
  undo.defer(() => http.close());
  const refusal = env.listens ? await listen(http, env).catch(asError) : undefined;
  // Before anything is created: the accounts of a new database carry the address for good. The port of an ending server
  // is free when its database is.
  if (refusal && !databaseExists(env)) throw refusal;
  const database = await useDatabase(env, log, signal, (reason) => lost.abort(reason));
  undo.defer(() => database.release());
  const end = AbortSignal.any([signal, lost.signal]);
  end.throwIfAborted();
  if (refusal) await listen(http, env);
  const server = await startServer(env, database.address, http, log, end);
  undo.defer(() => server.close());
  const stop = AbortSignal.any([end, server.restartRequested]);
  if (!stop.aborted) await once(stop, 'abort');
  log('Stopping');
  end.throwIfAborted();
  return true;
}

/** A single process takes the database for itself. */
async function useDatabase(
  env: Env,
  log: (line: string) => void,
  signal: AbortSignal,
  onLost: (reason: Error) => void,
): Promise<BorrowedDatabase> {
  const options = { env, log, signal, sessionName: serverSession(env) };
  if (isOneOfSeveral(env)) return attachDatabase(options);
  const database = await leaseDatabase(options);
  database.onLost(onLost);
  return database;
}

/** The message for the operator: expected failures without a stack. */
export function explain(error: unknown): string {
  const expected = startProblem(error);
  if (expected) return expected.message;
  return error instanceof Error ? sourceMapped(error.stack ?? error.message) : String(error);
}

/** An error that nobody caught, with all that it has. */
export function inspected(error: unknown): string {
  return sourceMapped(inspect(error));
}

/** @throws StartError when the address is not available */
async function listen(http: HttpServer, env: Env): Promise<void> {
  try {
    await http.listen(env.port, env.host);
  } catch (error) {
    throw listenProblem(env, error) ?? error;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
