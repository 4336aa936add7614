import type { Type as TypeBox, TSchema } from 'typebox';

type Name =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Never'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Tuple'
  | 'Union'
  | 'Unknown';

type Options = Readonly<Record<string, unknown>>;

/** Fields that may be missing. */
const optional = new WeakSet<object>();

function optionally(schema: TSchema): TSchema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

function object(properties: Readonly<Record<string, TSchema>>, options?: Options): TSchema {
  const required = Object.entries(properties).flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const plain = {
  Array: (items: TSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Never: (options?: Options) => ({ not: {}, ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Object: object,
  Optional: optionally,
  Record: (_text: TSchema, values: TSchema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: (options?: Options) => ({ type: 'string', ...options }),
  Tuple: (items: readonly TSchema[], options?: Options) => ({
    type: 'array',
    additionalItems: false,
    items,
    minItems: items.length,
    ...options,
  }),
  Union: (anyOf: readonly TSchema[], options?: Options) => ({ anyOf, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
};

/**
 * What shapes are made of: typebox's types and the JSON schemas that it makes, without its code. A server has no use for
 * the 680 modules of that, which take 10 MB. Keys of a `Record` are any text.
 */
export const Type = plain as unknown as Pick<typeof TypeBox, Name>;
