import { appendFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { expect } from '@jest/globals';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { builtEndpoints } from './fixtures/endpoints.js';
import { checkShape } from './shape.js';

/** Tests that call every route with anything at all: what they get proves nothing. */
const BLIND = new Set(['bad-input.spec.ts', 'scopes.spec.ts']);

interface Row {
  readonly key: string;
  readonly method: string;
  readonly pattern: RegExp;
  /** How many parts of the path are written out: of two rows that fit, the one with more is meant. */
  readonly literals: number;
  /** How much of it is written out: `:tag.rss` is more than `:tag`. */
  readonly written: number;
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
    written: path.replace(/[:*]\w+/g, '').length,
  }))
  .sort((one, other) => other.literals - one.literals || other.written - one.written);

/** The row of `test/data/endpoints.tsv` that a request belongs to, or undefined: `GET /api/v1/accounts/:id`. */
export function rowOf(method: string, url: string): string | undefined {
  const path = url.split('?', 1)[0]!;
  return ROWS.find((row) => row.method === method && row.pattern.test(path))?.key;
}

/** Longer answers are not checked again and again. */
const MAX_CHECKED = 500_000;

/**
 * Watches what a server answers. Every 2xx of a route must have the shape that its handler declares: `complaints` is what had not.
 * And it keeps which rows got a 2xx, for `npm run coverage:rows`: one file for each process in the folder that `ROWS_LEDGER`
 * names. Without that variable, and in tests that call blindly, nothing is kept.
 */
export class Ledger {
  readonly complaints = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly file = fileOf(process.env['ROWS_LEDGER']);

  constructor(
    server: Server,
    /** What routes answer, by `METHOD path`. */
    private readonly shapes: ReadonlyMap<string, TSchema>,
  ) {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const row = rowOf(request.method ?? '', request.url ?? ''); // express changes the address on the way
      if (row === undefined) return;
      const isSuccess = () => response.headersSent && response.statusCode >= 200 && response.statusCode <= 299;
      // a stream of events never ends by itself, and when its reader goes the test may be over: its first words count
      const body = bodyOf(response, () => isSuccess() && this.keep(row));
      response.once('finish', () => {
        if (!isSuccess()) return;
        this.keep(row);
        if (/^application\/json/.test(String(response.getHeader('content-type')))) this.check(row, Buffer.concat(body));
      });
    });
  }

  private keep(row: string): void {
    if (this.file === undefined || this.seen.has(row)) return;
    this.seen.add(row);
    appendFileSync(this.file, `${row}\n`);
  }

  private check(row: string, body: Buffer): void {
    const shape = this.shapes.get(row);
    if (!shape || body.length > MAX_CHECKED) return;
    const value: unknown = JSON.parse(body.toString());
    if (validatorOf(shape).Check(value)) return;
    this.complaints.add(`${row}: ${checkShape(shape, value).slice(0, 3).join('; ')}`);
  }
}

function fileOf(folder: string | undefined): string | undefined {
  const isBlind = BLIND.has(basename(expect.getState().testPath ?? ''));
  return folder && !isBlind ? join(folder, `${process.pid}.txt`) : undefined;
}

const validators = new WeakMap<TSchema, Validator>();

function validatorOf(shape: TSchema): Validator {
  const known = validators.get(shape) ?? Compile(shape);
  validators.set(shape, known);
  return known;
}

/** What will have been written when the response is finished. Tells when a part was. */
function bodyOf(response: ServerResponse, written: () => unknown): Buffer[] {
  const chunks: Buffer[] = [];
  const take = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as Buffer));
  };
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...values: unknown[]) => never;
    response[name] = (...values: unknown[]) => {
      take(values[0]);
      const answer = original(...values);
      written();
      return answer;
    };
  }
  return chunks;
}
