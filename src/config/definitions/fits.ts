import type { TSchema } from 'typebox';
import { codePointLength } from '../../common/index.js';

/** The keywords that settings are described with. */
interface Keywords {
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly items?: TSchema | readonly TSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/**
 * Whether a value has the form of a setting. Knows what {@link file://./value-types.ts} is made of, and nothing else of
 * JSON Schema: a whole validator would take 10 MB in every server.
 */
export function fits(schema: TSchema, value: unknown): boolean {
  const form: Keywords = schema;
  if (form.anyOf) return form.anyOf.some((one) => fits(one, value));
  if (form.enum) return form.enum.includes(value);
  const judge = form.type && JUDGES[form.type];
  if (!judge) throw new Error(`No setting is of the type ${JSON.stringify(schema)}`);
  return judge(form, value);
}

function isWithin(value: number, least = -Infinity, most = Infinity): boolean {
  return value >= least && value <= most;
}

function fitsText({ minLength, maxLength, pattern }: Keywords, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    isWithin(codePointLength(value), minLength, maxLength) &&
    (pattern === undefined || pattern.test(value))
  );
}

function fitsList({ items, minItems, maxItems, uniqueItems }: Keywords, value: unknown): boolean {
  if (!isList(value)) return false;
  if (isTuple(items)) return value.length === items.length && items.every((one, at) => fits(one, value[at]));
  return (
    isWithin(value.length, minItems, maxItems) &&
    (!uniqueItems || new Set(value.map((item) => JSON.stringify(item))).size === value.length) &&
    value.every((item) => items === undefined || fits(items, item))
  );
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isTuple(items: Keywords['items']): items is readonly TSchema[] {
  return isList(items);
}

/** Objects have exactly the fields that are named. */
function fitsObject({ properties = {} }: Keywords, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given = new Map<string, unknown>(Object.entries(value));
  const fields = Object.entries(properties);
  return (
    given.size === fields.length && fields.every(([name, schema]) => given.has(name) && fits(schema, given.get(name)))
  );
}

const JUDGES: Readonly<Record<NonNullable<Keywords['type']>, (form: Keywords, value: unknown) => boolean>> = {
  boolean: (_form, value) => typeof value === 'boolean',
  integer: (form, value) => Number.isInteger(value) && isWithin(value as number, form.minimum, form.maximum),
  string: fitsText,
  array: fitsList,
  object: fitsObject,
};
