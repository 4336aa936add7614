import { type TSchema, Type } from 'typebox';

/** A value that may be null; its key is always there. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** The keyword of the text that {@link Described} gives a field. */
export const FIELD_TEXT = 'x-text';

/**
 * A field with a sentence about what it means, for the reference of the API. The schema is copied: a shared one, such as
 * an account, means another thing in each field.
 */
export function Described<T extends TSchema>(schema: T, text: string): T {
  const properties = Object.getOwnPropertyDescriptors(schema); // some of TypeBox's own are not enumerable
  const described = { value: text, enumerable: true };
  return Object.create(Object.getPrototypeOf(schema) as object, { ...properties, [FIELD_TEXT]: described }) as T;
}

/** A moment: UTC with milliseconds, `2024-05-01T10:20:30.000Z` (spec §10.1). */
export const DateTime = Type.String({
  format: 'date-time',
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
});

/** A day, `2024-05-01`. */
export const DateOnly = Type.String({ format: 'date', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

/** The id of an object ordered by time across servers, such as an account, status or chat. */
export const FlakeId = Type.String({ pattern: '^[0-9A-Za-z]{18,22}$' });

/** The id of an object that only clients page over: a number as a string. */
export const DecimalId = Type.String({ pattern: String.raw`^\d{1,19}$` });
