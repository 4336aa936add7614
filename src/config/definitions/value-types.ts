import { type Static, type TSchema, Type } from 'typebox';
import { asReason, joined, phrase, type Phrase, type Reason } from '../../common/index.js';

/** The values of a setting: a schema, which gives the TypeScript type too, and its description. */
export interface ValueType<T extends TSchema = TSchema> {
  readonly schema: T;
  /** Completes the sentence "must be …" in error texts and in docs/settings.md. */
  readonly words: Phrase;
}

export type ValueOf<V extends ValueType> = V extends ValueType<infer T> ? Static<T> : never;

/** A boolean. */
export const flag = { schema: Type.Boolean(), words: phrase('true or false') };

/** A whole number, both bounds included. */
export const integer = (minimum: number, maximum: number) => ({
  schema: Type.Integer({ minimum, maximum }),
  words: phrase('an integer from {min} to {max}', { min: minimum, max: maximum }),
});

/** A number, both bounds included, with decimals or without. */
export const decimal = (minimum: number, maximum: number) => ({
  schema: Type.Number({ minimum, maximum }),
  words: phrase('a number from {min} to {max}', { min: minimum, max: maximum }),
});

/** A text of bounded length. */
export const text = (minLength: number, maxLength: number) => ({
  schema: Type.String({ minLength, maxLength }),
  words:
    minLength === 0
      ? phrase('a text of at most {max} characters', { max: maxLength })
      : phrase('a text of {min} to {max} characters', { min: minLength, max: maxLength }),
});

/** A text of one form, which `words` describes. */
export const pattern = (form: RegExp, words: Reason) => ({
  schema: Type.String({ pattern: form, maxLength: 2_000 }),
  words: typeof words === 'string' ? asReason(words) : words,
});

/** One of several words. */
export const oneOf = <W extends string[]>(...values: W) => ({
  schema: Type.Enum<W>(values),
  words: phrase('one of {words}', { words: values.join(', ') }),
});

/** A list without repetitions. */
export const list = <T extends TSchema>(item: ValueType<T>, maxItems: number) => ({
  schema: Type.Array(item.schema, { maxItems, uniqueItems: true }),
  words: phrase('a list of at most {max} different items, each {words}', { max: maxItems, words: item.words }),
});

/** An object with exactly these fields, all of one type. */
export const fields = <T extends TSchema, K extends string>(type: ValueType<T>, ...names: readonly K[]) => {
  const properties = Object.fromEntries(names.map((name) => [name, type.schema]));
  return {
    schema: Type.Object(properties as Record<K, T>, { additionalProperties: false }),
    words: phrase('an object of {names}, each {words}', {
      names: joined(names.map(asReason), ' and '),
      words: type.words,
    }),
  };
};

/** An object with exactly these fields, each of its own type. */
export const object = <F extends Readonly<Record<string, ValueType>>>(types: F) => {
  const properties = Object.fromEntries(Object.entries(types).map(([name, { schema }]) => [name, schema]));
  return {
    schema: Type.Object(properties as { [K in keyof F]: F[K]['schema'] }, { additionalProperties: false }),
    words: phrase('an object of {fields}', {
      fields: joined(Object.entries(types).map(([name, { words }]) => phrase('{name} ({words})', { name, words }))),
    }),
  };
};

/** An object with exactly these boolean fields. */
export const flags = <K extends string>(...names: readonly K[]) => fields(flag, ...names);

/** An object with exactly these integer fields within bounds. */
export const integers = <K extends string>(
  bounds: Readonly<Record<K, readonly [minimum: number, maximum: number]>>,
) => {
  const types = Object.entries<readonly [number, number]>(bounds).map(([name, range]) => [name, integer(...range)]);
  return object(Object.fromEntries(types) as Record<K, ReturnType<typeof integer>>);
};

/** An object whose fields have names of their own. */
export const record = <T extends TSchema>(value: ValueType<T>) => ({
  schema: Type.Record(Type.String({ maxLength: 200 }), value.schema, { maxProperties: 100 }),
  words: phrase('an object with names of your choice, each with {words}', { words: value.words }),
});
