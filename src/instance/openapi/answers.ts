import { type JsonSchema, parametersOf } from '../../common/index.js';
import { type Examples, exampleOf } from './examples.js';
import { namesIn } from './paths.js';
import type { Operation } from './route-catalogue.js';
import type { Schemas } from './schemas.js';

const IDEMPOTENCY_KEY = 'idempotency-key';

const SUCCESSES: Readonly<Record<number, string>> = {
  101: 'The connection becomes a WebSocket.',
  200: 'It succeeded.',
  202: 'It was accepted; a job does the rest.',
  204: 'It succeeded; the answer has no body.',
};

const RATE_LIMIT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const KEY = ['Idempotency-Key', 'Idempotent-Replayed'];

/** The refusals that follow from the declarations of a handler, by the name of their component. */
const REFUSALS: Readonly<Record<string, { status: number; description: string; headers?: readonly string[] }>> = {
  Invalid: { status: 400, description: 'A parameter is missing, unreadable or of the wrong type.' },
  Unauthorized: { status: 401, description: 'The token is missing, unknown or expired, or belongs to no user.' },
  Forbidden: { status: 403, description: 'The token lacks the scope, or the caller may not do this.' },
  NotFound: { status: 404, description: 'There is no such thing, or the caller may not see it.' },
  Conflict: { status: 409, description: 'An earlier request with the same `Idempotency-Key` is still running.' },
  TooLarge: { status: 413, description: 'A file is larger than the limit.' },
  Unsupported: { status: 415, description: 'Files of this kind are not accepted.' },
  Unprocessable: { status: 422, description: 'The request is readable, and breaks a rule for its content.' },
  TooManyRequests: {
    status: 429,
    description: 'The limit of requests is reached.',
    headers: [...RATE_LIMIT, 'Retry-After'],
  },
  Unavailable: {
    status: 503,
    description: 'The database is away, or there is too much to do.',
    headers: ['Retry-After'],
  },
};

/** The headers of answers. */
const HEADERS: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  Link: {
    description: 'The addresses of the next and the previous page, as `rel="next"` and `rel="prev"` (RFC 8288).',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'The number of requests in the period.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'How many of them are left.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the period ends.', schema: { type: 'string', format: 'date-time' } },
  'Retry-After': { description: 'The seconds until the next try.', schema: { type: 'integer' } },
  'Idempotency-Key': { description: 'The key of the request.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` when an earlier request with this key had created the object.',
    schema: { const: 'true' },
  },
};

const ERROR_CONTENT = {
  'application/json': { schema: { $ref: '#/components/schemas/Error' } },
};

/** The body of a refusal (spec §7). */
export const ERROR_SCHEMA = {
  type: 'object',
  description: 'Why a request was refused. Some refusals have further fields.',
  properties: { error: { type: 'string', description: 'The reason, in English.' } },
  required: ['error'],
};

/** The components that {@link responsesOf} refers to. */
export function answerComponents(): { readonly responses: object; readonly headers: object } {
  const refusals = Object.entries(REFUSALS).map(([name, { description, headers = [] }]) => {
    return [name, { description, ...headerReferences(headers), content: ERROR_CONTENT }] as const;
  });
  const other = { description: 'Another failure; `error` says what.', content: ERROR_CONTENT };
  return { responses: { ...Object.fromEntries(refusals), Error: other }, headers: HEADERS };
}

/** The answers of an operation by status: its success, the refusals that its declarations allow, and a default. */
export function responsesOf(operation: Operation, schemas: Schemas, examples: Examples): object {
  const refusals = Object.entries(REFUSALS)
    .filter(([name]) => isPossible(name, operation))
    .map(([name, { status }]) => [String(status), { $ref: `#/components/responses/${name}` }] as const);
  return {
    [operation.status]: success(operation, schemas, examples),
    ...Object.fromEntries(refusals),
    default: { $ref: '#/components/responses/Error' },
  };
}

/** The request header with a key against a second effect, where the handler reads it. */
export function headerParameters({ headers }: Operation): object[] {
  return headers.includes(IDEMPOTENCY_KEY) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
}

/** The component that {@link headerParameters} refers to. */
export const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Any text. A second request with the same key creates nothing, and returns what the first one created.',
  schema: { type: 'string', maxLength: 255 },
};

function success(operation: Operation, schemas: Schemas, examples: Examples): object {
  const { status, answer } = operation;
  const example = exampleOf(examples, operation, 'answer', schemas);
  return {
    description: SUCCESSES[status] ?? 'It succeeded.',
    ...headerReferences([
      ...(isPage(operation) ? ['Link'] : []),
      ...(operation.isRateLimited ? RATE_LIMIT : []),
      ...(operation.headers.includes(IDEMPOTENCY_KEY) ? KEY : []),
    ]),
    ...(answer
      ? { content: { [answer.contentType]: { schema: schemas.of(answer.shape as JsonSchema), ...example } } }
      : {}),
  };
}

function isPage({ input, answer }: Operation): boolean {
  return answer?.isPaged === true && input !== undefined && parametersOf(input).some(({ name }) => name === 'max_id');
}

function headerReferences(names: readonly string[]): { headers?: object } {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

const POSSIBLE: Readonly<Record<string, (operation: Operation) => boolean>> = {
  Invalid: ({ input }) => input !== undefined,
  Unauthorized: ({ access: { kind } }) => kind !== 'public' && kind !== 'admin',
  Forbidden: ({ access: { kind, scopes }, contentStatus }) =>
    kind === 'optional' || kind === 'admin' || scopes.length > 0 || contentStatus === 403,
  NotFound: ({ path }) => namesIn(path).length > 0,
  Conflict: ({ headers }) => headers.includes(IDEMPOTENCY_KEY),
  TooLarge: ({ takesFiles }) => takesFiles,
  Unsupported: ({ takesFiles }) => takesFiles,
  Unprocessable: ({ input, contentStatus }) => input !== undefined && contentStatus === 422,
  TooManyRequests: ({ isRateLimited }) => isRateLimited,
};

/** Every operation can be {@link REFUSALS | unavailable}. */
function isPossible(name: string, operation: Operation): boolean {
  return POSSIBLE[name]?.(operation) ?? true;
}
