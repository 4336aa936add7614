import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Brand } from '../../platform/index.js';
import { type Access, accessOf, showsRefusals } from '../routing/access.js';
import { neutralKey } from '../routing/brand.js';
import { hasBody, MAX_BODY_BYTES, readBody } from './body.js';
import { unpackDataUris } from './data-uris.js';
import { readsOwnBody } from './input.js';
import { emptyData, PROTOTYPE_KEYS } from './plain-data.js';
import { type ApiRequest, type Body, requestOf } from '../routing/request.js';
import { type FilePolicy, filePolicyOf, type FileRules, removeFiles, Uploads } from './uploads.js';

/** Most bytes of a body from anybody, without a sign-in: of sign-ins, registrations of apps, forms. */
const PUBLIC_BODY_BYTES = 65_536;

/** Most bytes of a body that is read before the sender is known, for the tokens in it. */
const EARLY_BODY_BYTES = 16_384;
/** The parameters that are credentials (spec §5.1, §5.3). */
const TOKENS = ['access_token', 'admin_token'] as const;

const NOTHING: Body = { values: {}, paths: [] };

/**
 * Reads the body on every method, when all others allow the request, and merges it with the query and
 * the path into `request.input` (path over body over query). An interceptor would make an observable of each request.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly brand: Brand,
    private readonly uploads: Uploads,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true; // messages of sockets are parsed already
    const request = requestOf(context);
    const handler = context.getHandler();
    if (request.reading) return request.reading.then((body) => this.accept(request, body));
    if (!hasBody(request) || readsOwnBody(handler)) return this.accept(request, { values: emptyData(), paths: [] });
    return this.read(request, handler).then((body) => this.accept(request, body));
  }

  private accept(request: ApiRequest, { values, paths, refusal }: Body): boolean {
    if (refusal) request.refusal ??= refusal;
    for (const name of TOKENS) Reflect.deleteProperty(values, name); // handlers may store the whole body
    request.input = this.merge(request.query, withoutBrackets(values), request.params);
    request.sent = values;
    request.files = paths;
    return true;
  }

  protected async read(request: ApiRequest, handler: object): Promise<Body> {
    const policy = filePolicyOf(handler);
    const maxBytes = accessOf(handler)?.kind === 'public' ? PUBLIC_BODY_BYTES : MAX_BODY_BYTES;
    const rules = policy && this.rulesOf(request, handler, policy);
    const newPath = () => this.uploads.newPath();
    const body = await readBody(request, { files: rules, newPath, maxBytes });
    if (!rules || !policy.dataUris) return body;
    try {
      const { values, paths } = await unpackDataUris(body.values, rules, newPath);
      return { ...body, values, paths: [...body.paths, ...paths] };
    } catch (error) {
      await removeFiles(body.paths);
      throw error;
    }
  }

  /** Of a request that is refused already no file is kept. */
  private rulesOf(request: ApiRequest, handler: object, policy: FilePolicy): FileRules {
    const rules = this.uploads.rules(policy, (field) => neutralKey(this.brand.word, field));
    if (!showsRefusals(request, handler)) return rules;
    const maxBytes = (field: string) => (request.refusal && rules.maxBytes(field) ? 0 : rules.maxBytes(field));
    return { ...rules, maxBytes, leavesOut: true };
  }

  private merge(...sources: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> {
    const input = emptyData();
    for (const source of sources) {
      for (const [key, value] of Object.entries(source)) input[neutralKey(this.brand.word, key)] = value;
    }
    return input;
  }
}

/** The rules of handlers whose callers a token may name. */
const READ_TOKENS: readonly (Access['kind'] | undefined)[] = ['optional', 'user', 'app', 'token', 'admin'];

/**
 * The first guard: reads a small body of a request without a token elsewhere, and gives the tokens in it to the guards. A
 * body that cannot be read has none; {@link BodyGuard} refuses it if the others allow the request. Larger ones are not
 * read before the sender is known.
 */
@Injectable()
export class BodyTokensGuard extends BodyGuard {
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = requestOf(context);
    const handler = context.getHandler();
    if (!mayHoldToken(request) || !READ_TOKENS.includes(accessOf(handler)?.kind) || readsOwnBody(handler)) return true;
    request.reading = this.read(request, handler);
    return this.readTokens(request, request.reading);
  }

  private async readTokens(request: ApiRequest, reading: Promise<Body>): Promise<boolean> {
    const { values, paths } = await reading.catch(() => NOTHING);
    request.res?.once('close', () => void removeFiles(paths));
    request.body = Object.fromEntries(TOKENS.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
    return true;
  }
}

function mayHoldToken(request: ApiRequest): boolean {
  const { headers, query } = request;
  if (!hasBody(request) || !(Number(headers['content-length']) <= EARLY_BODY_BYTES)) return false;
  const hasToken = /^Bearer /i.test(headers.authorization ?? '') || headers['x-admin-token'] !== undefined;
  return !hasToken && !TOKENS.some((name) => name in query);
}

/** Apps name lists in JSON as in forms. */
function withoutBrackets(values: Body['values']): Body['values'] {
  const named = Object.entries(values).map(([key, value]) => [key.replace(/\[\]$/, ''), value] as const);
  return Object.fromEntries(named.filter(([key]) => !PROTOTYPE_KEYS.has(key)));
}
