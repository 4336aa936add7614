import { appendFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { expect } from '@jest/globals';
import { builtEndpoints } from './endpoints.js';

/** Tests that call every route with anything at all: what they get proves nothing. */
const BLIND = new Set(['bad-input.spec.ts', 'scopes.spec.ts']);

interface Row {
  readonly key: string;
  readonly method: string;
  readonly pattern: RegExp;
  /** How many parts of the path are written out: of two rows that fit, the one with more is meant. */
  readonly literals: number;
}

const ROWS: readonly Row[] = builtEndpoints()
  .map(({ method, path }) => ({
    key: `${method} ${path}`,
    method,
    pattern: new RegExp(
      `^${path
        .replace(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
        .replace(/\*\w+/g, '.+')
        .replace(/:\w+/g, '[^/]+')}/?$`,
    ),
    literals: path.split('/').filter((part) => part !== '' && !/^[:*]/.test(part)).length,
  }))
  .sort((one, other) => other.literals - one.literals);

/** The row of `test/data/endpoints.tsv` that a request belongs to, or undefined: `GET /api/v1/accounts/:id`. */
export function rowOf(method: string, url: string): string | undefined {
  const path = url.split('?', 1)[0]!;
  return ROWS.find((row) => row.method === method && row.pattern.test(path))?.key;
}

/**
 * Keeps which rows a server answered with a 2xx, for `npm run coverage:rows`: one file for each process in the folder
 * that `ROWS_LEDGER` names. Without that variable, and in tests that call blindly, nothing is kept.
 */
export function keepLedger(server: Server): void {
  const folder = process.env['ROWS_LEDGER'];
  if (!folder || BLIND.has(basename(expect.getState().testPath ?? ''))) return;
  const seen = new Set<string>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request; // express changes them on the way
    response.once('finish', () => {
      const row = response.statusCode >= 200 && response.statusCode < 300 ? rowOf(method, url) : undefined;
      if (row === undefined || seen.has(row)) return;
      seen.add(row);
      appendFileSync(join(folder, `${process.pid}.txt`), `${row}\n`);
    });
  });
}
