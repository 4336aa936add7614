import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { expectAnswer, hasCode, isGivenUp, StorageError } from '../../platform/index.js';
import { isDatabaseAway } from '../errors/database-errors.js';
import { DomainError, Redirect, Unavailable } from '../errors/errors.js';
import type { Reason } from '../reasons/reasons.js';
import { Pages } from '../pages/pages.js';
import { NEVER_CACHED } from '../routing/common-headers.js';
import { isApiPath, isForReaders } from '../routing/paths.js';
import type { ApiRequest } from '../routing/request.js';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reason?: Reason;
}

/** Headers that a handler set for an answer that failed. A cache that stores a failure would show it to everybody. */
const OF_A_SUCCESS = [
  'Content-Type',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
  'Cache-Control',
  'ETag',
  'Last-Modified',
  'Link',
];

const INTERNAL: Answer = { status: 500, body: { error: 'Internal server error' } };

/**
 * The one exception filter: turns every failure into JSON, or into a page for browsers, without stack, SQL or path
 * (threat H22). An unexpected error is logged under the request's id and answered with 500, an expected one is not logged; an
 * absent database, an absent storage of files, a full disk and a shortage of file descriptors with 503.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly pages: Pages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    if (error instanceof Redirect) {
      response.redirect(303, error.path);
      return;
    }
    const answer = answerTo(error, request);
    if (error instanceof DomainError && error.isExpected) expectAnswer(response);
    else if (answer.status >= 500) this.log(error, request, answer.status);
    if (response.headersSent) return void response.destroy(); // a partial answer must not look complete
    for (const name of OF_A_SUCCESS) response.removeHeader(name);
    response.set(answer.headers ?? {}).status(answer.status);
    if (prefersPage(request, response)) response.json(this.pages.error(request, answer.status, answer.reason));
    else response.set(...NEVER_CACHED).json(answer.body);
  }

  /** Logs the path without its query, which may carry a token. */
  private log(error: unknown, { id, method, path }: ApiRequest, status: number): void {
    this.logger.error({ err: error, requestId: id, method, path, status }, 'request failed');
  }
}

/** Programs that accept anything, or name no type, get JSON. */
function prefersPage(request: ApiRequest, response: Response): boolean {
  if (!isForReaders(request.path)) return false;
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}

function answerTo(error: unknown, request: ApiRequest): Answer {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpException) return ofFramework(error.getStatus(), request);
  if (isDatabaseAway(error) || isShortage(error)) return new Unavailable();
  if (error instanceof StorageError) return new Unavailable('The files cannot be reached at the moment', {}, 30);
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new Unavailable('The server has no room left'); // threat M8
  return INTERNAL;
}

/** Whether no file descriptor was left, or the machine stood still. */
function isShortage(error: unknown): boolean {
  return hasCode(error, 'EMFILE', 'ENFILE') || (error instanceof Error && isGivenUp(error));
}

/** Failures found by Nest or express, mostly a route that does not exist. Their own texts repeat the path. */
function ofFramework(status: number, request: ApiRequest): Answer {
  if (status >= 500) return INTERNAL;
  if (status === 404) return { status, body: { error: isApiPath(request.path) ? 'Not implemented' : 'Not found' } };
  return { status, body: { error: STATUS_CODES[status] ?? 'Error' } };
}
