import type { LoggerService } from '@nestjs/common';
import { Logger, type Params, PinoLogger } from 'nestjs-pino';
import { type DestinationStream, stdTimeFunctions } from 'pino';
import type { Options } from 'pino-http';
import type { Env } from '../env/env.js';
import { startProblem } from '../database/start-problem.js';
import { censored } from './log-censor.js';
import { sourceMapped } from './source-mapped.js';
import { workFields } from '../tracing/work.js';

/** How many causes of an error are followed. */
const MAX_CAUSES = 5;

/** Further fields of errors of Node, of PostgreSQL, and our own. */
type LoggedError = Error & Partial<Record<'code' | 'kind' | 'constraint' | 'table' | 'errors', unknown>>;

/**
 * The server's log: one JSON object a line, on standard output or the given stream. No line holds a secret (threat P8). Lines
 * about requests come from `requestLog`, so the library's own middleware has no routes.
 */
export function loggerModuleOptions(env: Pick<Env, 'logLevel'>, stream?: DestinationStream): Params {
  const options: Options = {
    level: env.logLevel,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: censored },
    wrapSerializers: false,
    serializers: { err: errorFields, error: errorFields },
    mixin: workFields,
  };
  return { pinoHttp: stream ? [options, stream] : options, forRoutes: [] };
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
    error: (...words: [unknown]) => {
      if (!isExplained(words[0])) logger.error(...words);
    },
    fatal: (...words: [unknown]) => logger.fatal(...words),
  };
}

/** Whether the start ends with a sentence about the error, which needs no stack besides. */
function isExplained(error: unknown): boolean {
  return startProblem(error) !== undefined;
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
    stack: stack === undefined ? undefined : sourceMapped(stack),
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
