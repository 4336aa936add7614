import type { Type } from '@nestjs/common';

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A field of a request class, for the reference of the API. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Described {
  readonly schema: () => JsonSchema;
  readonly required: boolean;
}

/** By the prototype of the request class and the field name. */
const described = new WeakMap<object, Map<string, Described>>();
const texts = new WeakMap<object, Map<string, string>>();

/** Says in one sentence what a field of a request class means, for the reference of the API. */
export function Describe(text: string): PropertyDecorator {
  return (prototype, name) => {
    const fields = texts.get(prototype) ?? new Map<string, string>();
    fields.set(String(name), text);
    texts.set(prototype, fields);
  };
}

/**
 * Describes the values of a request class's field. A function is called later: the classes it names may be declared
 * below.
 */
export function describedBy(schema: JsonSchema | (() => JsonSchema), { required = false } = {}): PropertyDecorator {
  return (prototype, name) => {
    const fields = described.get(prototype) ?? new Map<string, Described>();
    fields.set(String(name), { schema: typeof schema === 'function' ? schema : () => schema, required });
    described.set(prototype, fields);
  };
}

/** The fields of a request class, those it inherits last; with their initial values as defaults. */
export function parametersOf(requestClass: Type<object>): Parameter[] {
  const initial: Readonly<Record<string, unknown>> = { ...new requestClass() };
  const found = new Map<string, Parameter>();
  for (
    let prototype = requestClass.prototype as object | null;
    prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    for (const [name, { schema, required }] of described.get(prototype) ?? []) {
      const text = texts.get(prototype)?.get(name);
      const inner = text === undefined ? schema() : { description: text, ...schema() };
      if (!found.has(name)) found.set(name, { name, required, schema: withDefault(inner, initial[name]) });
    }
  }
  return [...found.values()];
}

/** The fields as the schema of an object. */
export function schemaOf(requestClass: Type<object>): JsonSchema {
  const parameters = parametersOf(requestClass);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A list with a maximum length. */
export function listSchema(items: JsonSchema, maxItems: number): JsonSchema {
  return { type: 'array', items, maxItems };
}

/** A whole number, with optional bounds. */
export function integerSchema({ min, max }: { readonly min?: number; readonly max?: number }): JsonSchema {
  return {
    type: 'integer',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

function withDefault(schema: JsonSchema, initial: unknown): JsonSchema {
  return initial === undefined || typeof initial === 'function' ? schema : { ...schema, default: initial };
}
