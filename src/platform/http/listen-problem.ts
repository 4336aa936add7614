import type { Env } from '../env/env.js';
import { hasCode, StartError } from '../env/errors.js';
import { bracketed } from '../urls/urls.js';

/** Systems reserve the ports below it. */
const FIRST_FREE_PORT = 1024;

/** A refused HOST and PORT as a sentence with what to do; undefined for every other error. */
export function listenProblem({ host, port }: Pick<Env, 'host' | 'port'>, error: unknown): StartError | undefined {
  const problem = problemOf(host, port, error);
  if (problem === undefined) return undefined;
  return new StartError(`Cannot listen on ${bracketed(host)}:${port}: ${problem}.`, { cause: error });
}

function problemOf(host: string, port: number, error: unknown): string | undefined {
  if (hasCode(error, 'EADDRINUSE')) return 'another program listens there. Set PORT or HOST';
  if (hasCode(error, 'EACCES') && port < FIRST_FREE_PORT)
    return `ports below ${FIRST_FREE_PORT} are for root. Set PORT=4000, and let a proxy listen there (docs/online.md)`;
  if (hasCode(error, 'EACCES')) return 'the system does not allow it. Set PORT or HOST';
  if (hasCode(error, 'EADDRNOTAVAIL')) return 'this machine does not have the address. Set HOST';
  if (isUnknown(host, error)) return 'the host is not known. Set PORT or HOST';
  return undefined;
}

/** Whether an error says that exactly this host has no address. */
function isUnknown(host: string, error: unknown): boolean {
  return hasCode(error, 'ENOTFOUND', 'EAI_AGAIN') && (error as { hostname?: unknown }).hostname === host;
}
