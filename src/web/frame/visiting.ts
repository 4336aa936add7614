import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../../common/index.js';
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

/** A parameter of a handler with `@SignedIn()`: its {@link Visit}. 401 without a session. */
export const Visiting = (): ParameterDecorator => exchange(VisitPipe);
