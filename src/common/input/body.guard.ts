import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../platform/index.js';
import { type Body, MAX_BODY_BYTES, readBody } from './body.js';
import { accessOf } from '../routing/access.js';
import { neutralKey } from '../routing/brand.js';
import { unpackDataUris } from './data-uris.js';
import { readsOwnBody } from './input.js';
import { emptyData } from './plain-data.js';
import type { ApiRequest } from '../routing/request.js';
import { filePolicyOf, removeFiles, Uploads } from './uploads.js';

/** Most bytes of a body from anybody, without a sign-in: of sign-ins, registrations of apps, forms. */
const PUBLIC_BODY_BYTES = 65_536;

const NOTHING: Body = { values: {}, paths: [] };

/**
 * The last guard: reads the body on every method, when all others allow the request, and merges it with the query and
 * the path into `request.input` (path over body over query). An interceptor would make an observable of each request.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uploads: Uploads,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true; // messages of sockets are parsed already
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const handler = context.getHandler();
    const { values, paths } = readsOwnBody(handler) ? NOTHING : await this.read(request, handler);
    request.input = this.merge(request.query, values, request.params);
    request.sent = values;
    request.files = paths;
    return true;
  }

  private async read(request: ApiRequest, handler: object): Promise<Body> {
    const policy = filePolicyOf(handler);
    const maxBytes = accessOf(handler)?.kind === 'public' ? PUBLIC_BODY_BYTES : MAX_BODY_BYTES;
    const rules = policy && this.uploads.rules(policy, (field) => neutralKey(this.env.brand, field));
    const newPath = () => this.uploads.newPath();
    const body = await readBody(request, { files: rules, newPath, maxBytes });
    if (!rules || !policy.dataUris) return body;
    try {
      const { values, paths } = await unpackDataUris(body.values, rules, newPath);
      return { values, paths: [...body.paths, ...paths] };
    } catch (error) {
      await removeFiles(body.paths);
      throw error;
    }
  }

  private merge(...sources: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> {
    const input = emptyData();
    for (const source of sources) {
      for (const [key, value] of Object.entries(source)) input[neutralKey(this.env.brand, key)] = value;
    }
    return input;
  }
}
