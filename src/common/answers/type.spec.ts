import { describe, expect, it } from '@jest/globals';
import { Type as TypeBox } from 'typebox';
import { Type } from './type.js';

type Builder = typeof Type;

const closed = { additionalProperties: false };

/** Each made twice: by ours, and by the library whose types it has. */
const schemas: Readonly<Record<string, (type: Builder) => unknown>> = {
  array: (type) => type.Array(type.String(), { maxItems: 3, uniqueItems: true }),
  boolean: (type) => type.Boolean({ default: true }),
  enum: (type) => type.Enum(['a', 'b']),
  integer: (type) => type.Integer({ minimum: 1, maximum: 5 }),
  literals: (type) => [type.Literal('a'), type.Literal(1), type.Literal(false)],
  never: (type) => type.Never(),
  null: (type) => type.Null(),
  number: (type) => type.Number({ minimum: 0.5 }),
  'object without fields': (type) => type.Object({}, closed),
  'object with optional fields': (type) => type.Object({ a: type.String(), b: type.Optional(type.Null()) }, closed),
  'object of optional fields alone': (type) => type.Object({ a: type.Optional(type.Integer({ minimum: 1 })) }),
  'nested objects': (type) => type.Array(type.Object({ a: type.Object({ b: type.Optional(type.Boolean()) }) })),
  record: (type) => type.Record(type.String(), type.Integer()),
  string: (type) => type.String({ pattern: '^a+$', minLength: 1 }),
  tuple: (type) => type.Tuple([type.String(), type.Integer()]),
  union: (type) => type.Union([type.String(), type.Null()]),
  unknown: (type) => type.Unknown(),
};

describe('Type', () => {
  it.each(Object.entries(schemas))('makes the same schema as typebox: %s', (_name, make) => {
    expect(JSON.parse(JSON.stringify(make(Type)))).toEqual(JSON.parse(JSON.stringify(make(TypeBox))));
  });

  it('leaves a shape that is optional in one place required in another', () => {
    const text = Type.String();
    expect(Type.Object({ a: Type.Optional(text) })).not.toHaveProperty('required');
    expect(Type.Object({ a: text })).toHaveProperty('required', ['a']);
  });
});
