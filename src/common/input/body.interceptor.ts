import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ENV, type Env } from '../../platform/index.js';
import { type Body, readBody, readRawBody } from './body.js';
import { neutralKey } from '../routing/brand.js';
import { unpackDataUris } from './data-uris.js';
import { rawTypesOf } from './input.js';
import { emptyData } from './plain-data.js';
import type { ApiRequest } from '../routing/request.js';
import { type FilePolicy, filePolicyOf, removeFiles, Uploads } from './uploads.js';

const NOTHING: Body = { values: {}, paths: [] };

/**
 * Reads the body on every method, after the guards, and merges it with the query and the path into `request.input`
 * (path over body over query). Files stay on disk until the handler is done.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uploads: Uploads,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle(); // messages of sockets are parsed already
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const rawTypes = rawTypesOf(context.getHandler());
    if (rawTypes) request.rawBody = await readRawBody(request, rawTypes);
    const policy = filePolicyOf(context.getHandler());
    const { values, paths } = rawTypes ? NOTHING : await this.read(request, policy);
    request.input = this.merge(request.query, values, request.params);
    request.sent = values;
    return removedAfterwards(paths, next);
  }

  private async read(request: ApiRequest, policy: FilePolicy | undefined): Promise<Body> {
    const rules = policy && this.uploads.rules(policy, (field) => neutralKey(this.env.brand, field));
    const newPath = () => this.uploads.newPath();
    const body = await readBody(request, { files: rules, newPath });
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

/** Removes the files when the handler is done with them, before the answer is sent. */
function removedAfterwards(paths: readonly string[], next: CallHandler): Observable<unknown> {
  if (paths.length === 0) return next.handle();
  return from(lastValueFrom(next.handle(), { defaultValue: undefined }).finally(() => removeFiles(paths)));
}
