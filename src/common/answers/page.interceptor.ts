import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { ENV, type Env } from '../../platform/index.js';
import { Json } from './json.js';
import { pageLinks } from './link.js';
import { Page } from './page.js';
import type { ApiRequest } from '../routing/request.js';

/**
 * Turns a handler's result into an answer: a page into its items with the `Link` header (none for an empty page),
 * rendered rows into one array.
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(@Inject(ENV) private readonly env: Env) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof Page)) return joined(result);
        const { originalUrl } = http.getRequest<ApiRequest>();
        if (result.cursors) {
          http.getResponse<Response>().setHeader('Link', pageLinks(this.env.baseUrl, originalUrl, result.cursors));
        }
        return joined(result.items);
      }),
    );
  }
}

/** Joins a list of rendered JSON; returns anything else unchanged. */
function joined(result: unknown): unknown {
  const isRendered = Array.isArray(result) && result.length > 0 && result.every((item) => item instanceof Json);
  return isRendered ? Json.array(result) : result;
}
