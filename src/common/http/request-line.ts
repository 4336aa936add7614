import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { refuseUncleanText } from '../input/body.js';
import { DomainError, Invalid } from '../errors/errors.js';
import { withoutSuffix } from '../routing/paths.js';

/** Methods that no resource has, and that reveal details about the client. */
const REFUSED_METHODS = new Set(['TRACE', 'TRACK', 'CONNECT']);

class MethodNotAllowed extends DomainError {
  readonly status = 405;
}

/** Gives every request an id for the log and the answer's `X-Request-Id`. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  request.id = randomUUID();
  response.setHeader('X-Request-Id', request.id);
  next();
}

/**
 * Checks the path and the query first: percent-encoded UTF-8 without NUL, within the limits of `plain-data.ts` (threats
 * H1 to H3, H7, H8). Parses the query once; express would parse it on every access.
 * @throws Invalid
 */
export function requestLine(request: Request, _response: Response, next: NextFunction): void {
  if (REFUSED_METHODS.has(request.method)) throw new MethodNotAllowed('Method not allowed');
  request.url = withoutSuffix(request.url);
  refuseUncleanText(decodedPath(request.path));
  const { query } = request;
  refuseUncleanText(query);
  Object.defineProperty(request, 'query', { value: query, writable: true, enumerable: true, configurable: true });
  next();
}

function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new Invalid('The path is not percent-encoded UTF-8', { cause });
  }
}
