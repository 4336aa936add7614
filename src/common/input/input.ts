import { createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { LRUCache } from 'lru-cache';
import type { ValidationError } from 'class-validator';
import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage.js';
import { Validator } from 'class-validator/cjs/validation/Validator.js';
import { entryLimit } from '../../platform/index.js';
import { accessOf } from '../routing/access.js';
import { DomainError, Invalid, Unprocessable } from '../errors/errors.js';
import { FieldsRefused } from '../errors/field-errors.js';
import { asReason, fieldPhrase, joined, type Reason } from '../reasons/reasons.js';
import { requestOf } from '../routing/request.js';

const validator = new Validator();
const VALIDATION = {
  whitelist: true,
  forbidUnknownValues: false,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};
const OWN_BODY = 'own-body';

/** What a broken constraint says: the `context` of a validation decorator. */
export interface ConstraintContext {
  readonly status: 400 | 422;
  /** The end of a sentence that begins with the name of the field. */
  readonly problem: Reason;
}

/** One error of a request. */
interface Violation {
  /** The name in the request. */
  readonly field: string;
  readonly problem: Reason;
  readonly status: 400 | 422;
}

/**
 * A handler's parameter: all that was sent (path over body over query), as an instance of a request class. Unknown names
 * are dropped. Answers 400 for what is missing or of the wrong type, 422 for what only breaks a rule about content; the
 * administrative API answers 400 for both.
 */
export const Input = createParamDecorator(<T extends object>(requestClass: Type<T>, context: ExecutionContext): T => {
  const { method, input = {}, refusal } = requestOf(context);
  try {
    return method === 'GET' ? readCached(requestClass, input) : readInput(requestClass, input);
  } catch (error) {
    if (refusal) throw refusal;
    if (error instanceof Unprocessable && accessOf(context.getHandler())?.kind === 'admin')
      throw new Invalid(error.reason);
    throw error;
  }
});

/** Apps send the same queries again and again. */
const MOST_CACHED = 1_000;
/** Longer inputs are read each time. */
const LONGEST_CACHED = 200;
const inputs = new WeakMap<Type<object>, LRUCache<string, object>>();

/**
 * Like {@link readInput}, once for equal inputs: they share a frozen instance. Keys hold the fields of the class only, never a
 * token of the query.
 */
function readCached<T extends object>(requestClass: Type<T>, input: Readonly<Record<string, unknown>>): T {
  const { names } = fieldsOf(requestClass);
  const key = JSON.stringify(Object.entries(input).filter(([name]) => names.has(name)));
  if (key.length > LONGEST_CACHED) return readInput(requestClass, input);
  let cache = inputs.get(requestClass);
  if (!cache) inputs.set(requestClass, (cache = new LRUCache(entryLimit(MOST_CACHED))));
  const found = cache.get(key);
  if (found) return found as T;
  const instance = frozen(readInput(requestClass, input));
  cache.set(key, instance);
  return instance;
}

function frozen<T extends object>(instance: T): T {
  for (const value of Object.values(instance)) if (typeof value === 'object' && value !== null) Object.freeze(value);
  return Object.freeze(instance);
}

/** A handler's parameter: the body alone, with any names, for handlers that store it unchanged. */
export const BodyObject = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { sent = {} } = requestOf(context);
  return sent;
});

/** The handler reads the body itself, once it knows that it wants it (`readRawBody`); the input has only path and query. */
export const OwnBody = () => SetMetadata(OWN_BODY, true);

/** Whether a handler declares {@link OwnBody}. */
export function readsOwnBody(handler: object): boolean {
  return Reflect.hasOwnMetadata(OWN_BODY, handler);
}

/**
 * Creates a request class from plain input. Missing properties keep their initial values.
 * @throws DomainError 400 or 422, naming every wrong field
 */
export function readInput<T extends object>(requestClass: Type<T>, input: Readonly<Record<string, unknown>>): T {
  const { names, isOptional } = fieldsOf(requestClass);
  if (isOptional && !Object.keys(input).some((name) => names.has(name))) return new requestClass();
  const instance = instantiate(requestClass, input);
  const violations = violationsIn(instance);
  if (violations.length > 0) throw refusal(violations);
  return instance;
}

/** The fields of a request class, and whether nothing needs to be sent. */
interface Fields {
  readonly names: ReadonlySet<string>;
  readonly isOptional: boolean;
}

const known = new WeakMap<Type<object>, Fields>();

/** Reads the validation metadata of a class once: the library searches all classes for those that it extends. */
function fieldsOf(requestClass: Type<object>): Fields {
  let fields = known.get(requestClass);
  if (!fields) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
    const names = new Set(metadata.map(({ propertyName }) => propertyName));
    fields = { names, isOptional: violationsIn(new requestClass()).length === 0 };
    known.set(requestClass, fields);
  }
  return fields;
}

function violationsIn(instance: object): Violation[] {
  return validator.validateSync(instance, VALIDATION).flatMap((error) => violationsOf(error));
}

/** An instance of a request class after its transforms, before validation. */
export function instantiate<T extends object>(requestClass: Type<T>, input: Readonly<Record<string, unknown>>): T {
  return plainToInstance(requestClass, input, { exposeUnsetFields: false });
}

function violationsOf(error: ValidationError, parents = ''): Violation[] {
  const field = parents + error.property;
  const own = Object.entries(error.constraints ?? {}).map(([name, message]): Violation => {
    const context = error.contexts?.[name] as ConstraintContext | undefined;
    const { status, problem } = context ?? { status: 400, problem: asReason(message) };
    return { field, problem: fieldPhrase(field, problem), status };
  });
  const nested = (error.children ?? []).flatMap((child) => violationsOf(child, `${field}.`));
  return [...own, ...nested];
}

function refusal(violations: readonly Violation[]): DomainError {
  const reason = joined(violations.map(({ problem }) => problem));
  if (!violations.every(({ status }) => status === 422)) return new Invalid(reason);
  const fields = [...Map.groupBy(violations, ({ field }) => field)];
  const messages = fields.map(([field, found]) => [field, found.map(({ problem }) => problem)] as const);
  return new FieldsRefused(Object.fromEntries(messages), reason);
}
