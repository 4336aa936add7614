import { once } from 'node:events';
import {
  borrowDatabase,
  type BorrowedDatabase,
  type Env,
  hasCode,
  holdDatabase,
  isOneOfSeveral,
  readEnv,
  StartError,
} from './platform/index.js';
import { startServer } from './server.js';
import { tidyUp } from './tidy.js';

/**
 * Runs the server from its environment to its end; everything that was started is stopped, newest first, whatever
 * ends it. Resolves after `signal`, also when it came while starting.
 * @param log lines for the operator
 * @throws StartError when it cannot start, or when another server took its database
 */
export async function run(
  source: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await serve(readEnv(source), log, signal);
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

async function serve(env: Env, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const lost = new AbortController();
  const database = await useDatabase(env, log, signal, (reason) => lost.abort(reason));
  undo.defer(() => database.release());
  const end = AbortSignal.any([signal, lost.signal]);
  end.throwIfAborted();
  const server = await startServer(env, database.address, log).catch((error: unknown) => {
    throw hasCode(error, 'EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL') || isUnknown(env.host, error)
      ? cannotListen(env, error)
      : error;
  });
  undo.defer(() => server.close());
  await tidyUp();
  if (!end.aborted) await once(end, 'abort');
  log('Stopping');
  end.throwIfAborted();
}

/** A process that is alone takes the database for itself. */
async function useDatabase(
  env: Env,
  log: (line: string) => void,
  signal: AbortSignal,
  onLost: (reason: Error) => void,
): Promise<BorrowedDatabase> {
  if (isOneOfSeveral(env)) return borrowDatabase({ env, log, signal });
  const database = await holdDatabase({ env, log, signal });
  database.onLost(onLost);
  return database;
}

/** What the operator is told: expected failures without a stack. */
export function explain(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function cannotListen(env: Env, cause: unknown): StartError {
  const address = `${env.host}:${env.port}`;
  const reason = hasCode(cause, 'EADDRINUSE')
    ? 'another program listens there'
    : isUnknown(env.host, cause)
      ? 'the host is not known'
      : 'the system does not allow it';
  return new StartError(`Cannot listen on ${address}: ${reason}. Set PORT or HOST.`, { cause });
}

/** Whether an error says of this host, and of no other, that it has no address. */
function isUnknown(host: string, error: unknown): boolean {
  return hasCode(error, 'ENOTFOUND', 'EAI_AGAIN') && (error as { hostname?: unknown }).hostname === host;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
