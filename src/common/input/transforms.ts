import { applyDecorators, type Type } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { Allow } from 'class-validator/cjs/decorator/common/Allow.js';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
import { ValidateNested } from 'class-validator/cjs/decorator/common/ValidateNested.js';
import { phrase, type Reason } from '../reasons/reasons.js';
import { type ConstraintContext, instantiate } from './input.js';
import { describedBy, integerSchema, listSchema, schemaOf } from './parameters.js';
import { isPlainObject, Repeated } from './plain-data.js';
import { codePointLength, isBlank } from '../text/gate.js';
import { UploadedFile } from './uploads.js';

const FALSE = new Set<unknown>([false, 0, '0', 'f', 'F', 'false', 'False', 'FALSE', 'off', 'OFF', 'no']);
const UNPROCESSABLE = 422;
const HUNDRED_YEARS = 3_155_760_000;
const MAX_ID_LENGTH = 64;

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
}

/**
 * A boolean in any of its spellings (spec §10.2); every value that is not false is true. Empty and null are ignored:
 * apps send them for unchanged fields.
 */
export function BooleanLike(): PropertyDecorator {
  return applyDecorators(
    reading((value) => (isEmpty(value) ? undefined : isTrue(value))),
    Allow(),
    describedBy({ type: 'boolean' }),
  );
}

/** A whole number, also as digits; empty is ignored. Outside of the range: 422. */
export function IntLike(range: NumberRange = {}): PropertyDecorator {
  return optional(whole, ...wholeChecks(range), describedBy(integerSchema(range)));
}

/** Like {@link IntLike}, but required (400). */
export function RequiredInt(range: NumberRange = {}): PropertyDecorator {
  return applyDecorators(
    reading((value) => (isEmpty(value) ? undefined : whole(value))),
    check('present', 'is missing', (value) => value !== undefined),
    ...wholeChecks(range),
    describedBy(integerSchema(range), { required: true }),
  );
}

/** A duration in whole seconds, from 0 to a hundred years by default. */
export function DurationSeconds({ min = 0, max = HUNDRED_YEARS }: NumberRange = {}): PropertyDecorator {
  return IntLike({ min, max });
}

/** A duration in whole seconds; empty, null and 0 become null, which means no end. */
export function DurationOrNever(): PropertyDecorator {
  const read = (value: unknown) => (isEmpty(value) || whole(value) === 0 ? null : whole(value));
  const range = { min: 0, max: HUNDRED_YEARS };
  return applyDecorators(
    reading(read),
    IsOptional(),
    ...wholeChecks(range),
    describedBy({ ...integerSchema(range), type: ['integer', 'null'] }),
  );
}

/** An id, also as a JSON number; empty is ignored. The service checks whether the object exists. */
export function OptionalId(): PropertyDecorator {
  return optional(
    idText,
    check('id', 'must be an id', isId),
    describedBy({ type: 'string', maxLength: MAX_ID_LENGTH }),
  );
}

/**
 * Ids in any form of a list: JSON array, repeated, `ids[]`, indexed, or a single one. More than `max`: 400. Empty
 * entries are left out; an absent list stays undefined, or the initial value.
 */
export function IdList({ max = 100 }: { readonly max?: number } = {}): PropertyDecorator {
  return applyDecorators(
    reading((_value, raw) => listed(raw)?.map(idText) ?? raw ?? undefined),
    IsOptional(),
    check('ids', 'must be a list of ids', (value) => Array.isArray(value) && value.every(isId)),
    check(
      'count',
      phrase('must hold at most {max} ids', { max }),
      (value) => !Array.isArray(value) || value.length <= max,
    ),
    describedBy(listSchema({ type: 'string' }, max)),
  );
}

/** Texts in any form of a list, without splitting. Too many or too long: 422. */
export function TextList({ max = 100, maxLength = 5000 } = {}): PropertyDecorator {
  return texts((raw) => listed(raw), max, maxLength);
}

/** Like {@link TextList}, and each text may hold several, separated by commas (`choices=0,1`). */
export function CsvList({ max = 100, maxLength = 500 } = {}): PropertyDecorator {
  return texts((raw) => listed(raw)?.flatMap(splitAtCommas), max, maxLength);
}

/** A text; an empty one stays, null is ignored. Longer than `max` code points: 422. */
export function OptionalText({ max }: { readonly max: number }): PropertyDecorator {
  return applyDecorators(
    reading((value) => value ?? undefined),
    IsOptional(),
    text(),
    length(max),
    describedBy({ type: 'string', maxLength: max }),
  );
}

/** A text; an empty or blank one becomes null, which removes the value. */
export function EmptyToNull({ max = 5000 } = {}): PropertyDecorator {
  return applyDecorators(
    reading((value) => (isEmpty(value) || (typeof value === 'string' && isBlank(value)) ? null : value)),
    IsOptional(),
    text(),
    length(max),
    describedBy({ type: ['string', 'null'], maxLength: max }),
  );
}

/** A required text (400), which is not blank (422) unless `blank` allows it. */
export function RequiredText({
  max,
  blank = false,
}: {
  readonly max: number;
  readonly blank?: boolean;
}): PropertyDecorator {
  const notBlank = (value: unknown) => typeof value !== 'string' || blank || !isBlank(value);
  return applyDecorators(
    reading((value) => value),
    check('present', 'is missing', (value) => value !== undefined && value !== null),
    check('text', 'must be a text', (value) => typeof value === 'string'),
    check('filled', 'must not be empty', notBlank, UNPROCESSABLE),
    length(max),
    describedBy({ type: 'string', minLength: blank ? 0 : 1, maxLength: max }, { required: true }),
  );
}

/** Drops blanks around a text that people paste, such as a mail address. Stands below the decorator that reads the text. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: TransformFnParams): unknown => (typeof value === 'string' ? value.trim() : value));
}

/** One of a few words; empty is ignored, another word is 400. */
export function OneOf(words: readonly string[]): PropertyDecorator {
  const context: ConstraintContext = {
    status: 400,
    problem: phrase('must be one of {words}', { words: words.join(', ') }),
  };
  return optional((value) => value, IsIn([...words], { context }), describedBy({ type: 'string', enum: words }));
}

/** An object with fields of its own. */
export function Nested<T extends object>(requestClass: () => Type<T>): PropertyDecorator {
  return optional(
    (value) => instanceOf(requestClass(), value),
    ...nestedChecks(requestClass),
    describedBy(() => schemaOf(requestClass())),
  );
}

/** Like {@link Nested}; empty and null become null, which removes the object. */
export function NestedOrNull<T extends object>(requestClass: () => Type<T>): PropertyDecorator {
  return applyDecorators(
    reading((value) => (isEmpty(value) ? null : instanceOf(requestClass(), value))),
    IsOptional(),
    ...nestedChecks(requestClass),
    describedBy(() => ({ anyOf: [schemaOf(requestClass()), { type: 'null' }] })),
  );
}

/** Booleans in any of their spellings by name, `alerts[follow]=1`, as a map with any names. */
export function FlagMap(): PropertyDecorator {
  const flag = (value: unknown) => isTrue(value instanceof Repeated ? value.at(-1) : value);
  return optional(
    (value) => (isPlainObject(value) ? new Map(Object.entries(value).map(([name, on]) => [name, flag(on)])) : value),
    check('flags', 'must be an object', (value) => value instanceof Map),
    describedBy({ type: 'object', additionalProperties: { type: 'boolean' } }),
  );
}

/**
 * Objects in any form of a list: JSON array, or indexed (`fields[0][name]`, `{"0": {...}}`). More than `max`: 422. A required
 * list that is missing, null or `{}`: 400.
 */
export function NestedList<T extends object>(
  requestClass: () => Type<T>,
  { max = 100, required = false } = {},
): PropertyDecorator {
  const isMissing = (raw: unknown) => isEmpty(raw) || (isPlainObject(raw) && Object.keys(raw).length === 0);
  const isList = (value: unknown) => Array.isArray(value) && value.every((item) => item instanceof requestClass());
  const toInstance = (item: unknown) => instanceOf(requestClass(), item);
  return applyDecorators(
    reading((_value, raw) =>
      required && isMissing(raw) ? undefined : (listed(raw)?.map(toInstance) ?? raw ?? undefined),
    ),
    required ? check('present', 'is missing', (value) => value !== undefined) : IsOptional(),
    check('objects', 'must be a list of objects', isList),
    check(
      'count',
      phrase('must hold at most {max} entries', { max }),
      (value) => !Array.isArray(value) || value.length <= max,
      UNPROCESSABLE,
    ),
    ValidateNested(),
    describedBy(() => listSchema(schemaOf(requestClass()), max), { required }),
  );
}

/** A file of a multipart form; an empty text in its place becomes null, which removes the file. */
export function FilePart(): PropertyDecorator {
  return applyDecorators(
    reading((value) => (isEmpty(value) ? null : value)),
    IsOptional(),
    check('file', 'must be sent as a file of a multipart form', (value) => isUpload(value) || isDataUri(value)),
    check('data', 'is a data: URI that is malformed, or not taken here', (value) => !isDataUri(value)),
    describedBy({ type: 'string', format: 'binary' }),
  );
}

const isUpload = (value: unknown) => value instanceof UploadedFile;
/** One that was not read as a file before. */
const isDataUri = (value: unknown) => typeof value === 'string' && value.startsWith('data:');

/** A text, or a file in its place; empty is ignored. The limits of the body bound its length. */
export function TextOrFile(): PropertyDecorator {
  return optional(
    (value) => value,
    check('text', 'must be a text or a file', (value) => isText(value) || value instanceof UploadedFile),
    describedBy({ type: 'string' }),
  );
}

/** Any JSON value, as it was sent. */
export function AnyJson(): PropertyDecorator {
  return applyDecorators(
    reading((_value, raw) => raw),
    Allow(),
    describedBy({}),
  );
}

type Read = (value: unknown, raw: unknown) => unknown;

/**
 * Reads the raw field. `value` is the single value, the last of several in a form (threat H12); `raw` keeps them all.
 */
function reading(read: Read): PropertyDecorator {
  return Transform(({ obj, key }: TransformFnParams) => {
    const raw = (obj as Readonly<Record<string, unknown>>)[key];
    return read(raw instanceof Repeated ? raw.at(-1) : raw, raw);
  });
}

/** A field with one value that ignores empty and null. */
function optional(read: (value: unknown) => unknown, ...checks: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(
    reading((value) => (isEmpty(value) ? undefined : read(value))),
    IsOptional(),
    ...checks,
  );
}

function nestedChecks<T extends object>(requestClass: () => Type<T>): PropertyDecorator[] {
  return [check('object', 'must be an object', (value) => value instanceof requestClass()), ValidateNested()];
}

/** Turns an object into a request class; leaves other values for the checks to refuse. */
function instanceOf<T extends object>(requestClass: Type<T>, value: unknown): unknown {
  return isPlainObject(value) ? instantiate(requestClass, value) : value;
}

function texts(list: (raw: unknown) => unknown[] | undefined, max: number, maxLength: number): PropertyDecorator {
  const all = (test: (value: unknown) => boolean) => (values: unknown) => !Array.isArray(values) || values.every(test);
  return applyDecorators(
    reading((_value, raw) => list(raw) ?? raw ?? undefined),
    IsOptional(),
    check('texts', 'must be a list of texts', (values) => Array.isArray(values) && values.every(isText)),
    check(
      'count',
      phrase('must hold at most {max} texts', { max }),
      (values) => !Array.isArray(values) || values.length <= max,
      UNPROCESSABLE,
    ),
    check(
      'length',
      phrase('must hold texts of at most {max} characters', { max: maxLength }),
      all(fits(maxLength)),
      UNPROCESSABLE,
    ),
    describedBy(listSchema({ type: 'string', maxLength }, max)),
  );
}

/** The non-empty entries of any form of a list, or undefined for another value; null is ignored. */
function listed(raw: unknown): unknown[] | undefined {
  if (raw === null || raw === undefined) return undefined;
  const entries = Array.isArray(raw) ? (raw as unknown[]) : isPlainObject(raw) ? indexed(raw) : [raw];
  return entries?.filter((entry) => !isEmpty(entry));
}

/** The values of `{"0": a, "1": b}` in the order of their numbers; undefined for other objects. */
function indexed(object: Readonly<Record<string, unknown>>): unknown[] | undefined {
  const isIndexed = Object.keys(object).every((key) => /^\d{1,9}$/.test(key));
  return isIndexed ? Object.values(object) : undefined; // JavaScript keeps such keys in numeric order
}

function splitAtCommas(entry: unknown): unknown[] {
  if (typeof entry === 'number') return [String(entry)];
  return typeof entry === 'string'
    ? entry
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    : [entry];
}

function isTrue(value: unknown): boolean {
  return !isEmpty(value) && !FALSE.has(value);
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || value === undefined;
}

function whole(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?\d{1,16}$/.test(value) ? Number(value) : value;
}

function wholeChecks({ min, max }: NumberRange): PropertyDecorator[] {
  return [
    check('int', 'must be a whole number', Number.isSafeInteger),
    check('min', phrase('must be at least {min}', { min: min ?? 0 }), atLeast(min), UNPROCESSABLE),
    check('max', phrase('must be at most {max}', { max: max ?? 0 }), atMost(max), UNPROCESSABLE),
  ];
}

function idText(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_ID_LENGTH;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function check(
  name: string,
  problem: Reason,
  validate: (value: unknown) => boolean,
  status: ConstraintContext['status'] = 400,
): PropertyDecorator {
  const context: ConstraintContext = { status, problem };
  const validator = { validate, defaultMessage: () => name };
  return ValidateBy({ name, validator }, { context });
}

function text(): PropertyDecorator {
  return check('text', 'must be a text', isText);
}

function length(max: number): PropertyDecorator {
  return check('length', phrase('must have at most {max} characters', { max }), fits(max), UNPROCESSABLE);
}

function fits(max: number): (value: unknown) => boolean {
  return (value) => typeof value !== 'string' || value.length <= max || codePointLength(value) <= max;
}

function atLeast(min: number | undefined): (value: unknown) => boolean {
  return (value) => min === undefined || typeof value !== 'number' || value >= min;
}

function atMost(max: number | undefined): (value: unknown) => boolean {
  return (value) => max === undefined || typeof value !== 'number' || value <= max;
}
