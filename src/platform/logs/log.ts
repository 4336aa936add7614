import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { Logger, type Params, PinoLogger } from 'nestjs-pino';
import { type DestinationStream, type LevelWithSilent, stdTimeFunctions } from 'pino';
import type { Options } from 'pino-http';
import type { Env } from '../env/env.js';
import { censored } from './log-censor.js';

/** How many causes of an error are followed. */
const MAX_CAUSES = 5;

/** Further fields of errors of Node, of PostgreSQL, and our own. */
type LoggedError = Error & Partial<Record<'code' | 'kind' | 'constraint' | 'table' | 'errors', unknown>>;

/** The properties that express adds to a request. */
type LoggedRequest = IncomingMessage & { readonly originalUrl?: string };

/**
 * The server's log: one JSON object a line, on standard output or the given stream. Requests appear at level debug,
 * without headers and bodies; those that failed with 5xx at warn. No line holds a secret (threat P8).
 */
export function loggerModuleOptions(env: Pick<Env, 'logLevel'>, stream?: DestinationStream): Params {
  const options: Options = {
    level: env.logLevel,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: censored },
    wrapSerializers: false,
    serializers: { req: requestFields, res: responseFields, err: errorFields, error: errorFields },
    customLogLevel: levelOf,
    customAttributeKeys: { reqId: 'requestId' },
    quietReqLogger: true,
  };
  return { pinoHttp: stream ? [options, stream] : options };
}

/**
 * The logger during the start of the application: warnings and errors only, since Nest logs every module and route, and
 * in the same form, since errors may hold secrets then too (threat P8).
 */
export function startLogger(env: Pick<Env, 'logLevel'>): LoggerService {
  const params = loggerModuleOptions(env);
  const logger = new Logger(new PinoLogger(params), params);
  return {
    log: () => undefined,
    warn: (...words: [unknown]) => logger.warn(...words),
    error: (...words: [unknown]) => logger.error(...words),
    fatal: (...words: [unknown]) => logger.fatal(...words),
  };
}

function levelOf(_request: IncomingMessage, response: ServerResponse, error?: Error): LevelWithSilent {
  return error || response.statusCode >= 500 ? 'warn' : 'debug';
}

function requestFields(request: LoggedRequest): object {
  return { method: request.method, url: request.originalUrl ?? request.url, userAgent: request.headers['user-agent'] };
}

function responseFields(response: ServerResponse): object {
  return { status: response.statusCode };
}

/**
 * The logged parts of an error. Other properties stay out: database errors carry the statement's parameters and the
 * row, parser errors the input.
 */
function errorFields(error: unknown, depth = 0): unknown {
  if (!isErrorLike(error)) return error;
  if (depth > MAX_CAUSES) return undefined;
  const { name, message, stack, cause, code, kind, constraint, table, errors } = error;
  return {
    type: name,
    message,
    stack,
    errorCode: code ?? kind,
    constraint,
    table,
    cause: errorFields(cause, depth + 1),
    errors: Array.isArray(errors) ? errors.map((each) => errorFields(each, depth + 1)) : undefined,
  };
}

/** Errors of Node's own modules can come from another realm, so that `instanceof` would miss them. */
function isErrorLike(error: unknown): error is LoggedError {
  return typeof error === 'object' && error !== null && 'message' in error && 'stack' in error;
}
