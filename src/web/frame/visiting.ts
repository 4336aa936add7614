import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, declareShowsRefusals } from '../../common/index.js';
import { SessionPages, type Visit } from './session-pages.js';

interface Exchange {
  readonly request: ApiRequest;
  readonly response: Response;
}

/** Makes the {@link Visit} of a request. */
@Injectable()
export class VisitPipe implements PipeTransform<Exchange, Visit> {
  constructor(private readonly pages: SessionPages) {}

  transform({ request, response }: Exchange): Visit {
    return this.pages.visit(request, response);
  }
}

const exchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<ApiRequest>(), response: http.getResponse<Response>() };
});

/**
 * A parameter of a handler with `@SignedIn()`: its {@link Visit}. 401 without a session. {@link SessionPages} shows the form
 * of a refused request again, so guards let such requests pass to these handlers.
 */
export const Visiting = (): ParameterDecorator => (target, name, index) => {
  const handler: unknown = name === undefined ? undefined : Reflect.get(target, name);
  if (typeof handler === 'function') declareShowsRefusals(handler);
  exchange(VisitPipe)(target, name, index);
};
