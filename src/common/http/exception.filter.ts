import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { hasCode } from '../../platform/index.js';
import { isDatabaseAway } from '../errors/database-errors.js';
import { DomainError, RemoteFailure, Unavailable } from '../errors/errors.js';
import { Pages } from '../pages/pages.js';
import { isApiPath, isForReaders } from '../routing/paths.js';
import type { ApiRequest } from '../routing/request.js';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler may have said about the answer it then did not give. */
const OF_A_SUCCESS = ['Content-Type', 'Link'];

const INTERNAL: Answer = { status: 500, body: { error: 'Internal server error' } };

/**
 * The one exception filter: every failure becomes JSON, or a page for somebody with a browser, without stack, SQL or path
 * (threat H22). What nobody expected is logged under the request's id and answered with 500; a database that is away and a
 * full disk with 503.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly pages: Pages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const answer = answerTo(error, request);
    if (answer.status >= 500 && !(error instanceof RemoteFailure)) this.log(error, request, answer.status);
    if (response.headersSent) return void response.destroy(); // half an answer must not look like a whole one
    for (const name of OF_A_SUCCESS) response.removeHeader(name);
    response
      .set(answer.headers ?? {})
      .status(answer.status)
      .json(prefersPage(request, response) ? this.pages.error(request, answer.status) : answer.body);
  }

  /** The path is logged without its query, which may carry a token. */
  private log(error: unknown, { id, method, path }: ApiRequest, status: number): void {
    this.logger.error({ err: error, requestId: id, method, path, status }, 'request failed');
  }
}

/** Programs that take anything, or say nothing, get JSON. */
function prefersPage(request: ApiRequest, response: Response): boolean {
  if (!isForReaders(request.path)) return false;
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}

function answerTo(error: unknown, request: ApiRequest): Answer {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpException) return ofFramework(error.getStatus(), request);
  if (isDatabaseAway(error)) return new Unavailable();
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new Unavailable('The server has no room left'); // threat M8
  return INTERNAL;
}

/** Failures that Nest or express found: a route that does not exist, mostly. Their own texts repeat the path. */
function ofFramework(status: number, request: ApiRequest): Answer {
  if (status >= 500) return INTERNAL;
  if (status === 404) return { status, body: { error: isApiPath(request.path) ? 'Not implemented' : 'Not found' } };
  return { status, body: { error: STATUS_CODES[status] ?? 'Error' } };
}
