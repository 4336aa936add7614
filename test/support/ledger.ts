import { appendFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { builtEndpoints } from './fixtures/endpoints.js';
import { undecodable } from './decoders/decodable.js';
import { checkShape } from './shape.js';

/** Tests that call every route with random input: their answers prove nothing. */
const BLIND = new Set(['bad-input.spec.ts', 'page-inputs.spec.ts', 'scopes.spec.ts']);

interface Row {
  readonly key: string;
  readonly method: string;
  readonly pattern: RegExp;
  /** The number of literal parts of the path: of two matching rows the one with more wins. */
  readonly literals: number;
  /** Its literal characters: `:tag.rss` has more than `:tag`. */
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

/** The row of `test/data/endpoints.tsv` for a request, or undefined: `GET /api/v1/accounts/:id`. */
export function rowOf(method: string, url: string): string | undefined {
  const path = url.split('?', 1)[0]!;
  const request = `${method} ${path}`;
  if (!found.has(request)) {
    if (found.size >= MAX_FOUND) found.clear();
    found.set(request, ROWS.find((row) => row.method === method && row.pattern.test(path))?.key);
  }
  return found.get(request);
}

/** The rows of recent requests: many tests ask for the same again. */
const found = new Map<string, string | undefined>();
const MAX_FOUND = 1_000;

/** Longer answers are checked once only. */
const MAX_CHECKED = 500_000;

/**
 * Checks a server's answers. Every 2xx of a route must have the shape that its handler declares, and in the shapes of the
 * reference it must be what the decoders of its apps read; `complaints` lists the rest.
 * Also records the rows with a 2xx, or a form that leads on to another page, for `npm run coverage:rows`: one file for each process in the folder in `ROWS_LEDGER`.
 * Records nothing without that variable, and in tests with random input.
 */
export class Ledger {
  readonly complaints = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly file = fileOf(process.env['ROWS_LEDGER']);

  constructor(
    server: Server,
    /** The declared answers, by `METHOD path`. */
    private readonly shapes: ReadonlyMap<string, TSchema>,
  ) {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const row = rowOf(request.method ?? '', request.url ?? ''); // express changes the address on the way
      if (row === undefined) return;
      const isSuccess = () => response.headersSent && response.statusCode >= 200 && response.statusCode <= 299;
      const isDone = () => isSuccess() || leadsOn(request, response);
      // an event stream never ends by itself, and the test may be over when it does: its first bytes count
      const body = bodyOf(response, () => isSuccess() && this.keep(row));
      response.once('finish', () => {
        if (isDone()) this.keep(row);
        if (!isSuccess()) return;
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
    if (!validatorOf(shape).Check(value))
      this.complaints.add(`${row}: ${checkShape(shape, value).slice(0, 3).join('; ')}`);
    for (const reason of undecodable(row, shape, body)) this.complaints.add(`${row}: ${reason}`);
  }
}

/** Whether a form of a page did what it was sent for: the browser goes on to another page, not to the sign-in. */
function leadsOn({ method }: IncomingMessage, response: ServerResponse): boolean {
  const location = String(response.getHeader('location'));
  return method === 'POST' && response.statusCode === 303 && !location.startsWith('/auth/sign_in');
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

/** Collects the whole body of a response, and reports when a part was written. */
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
