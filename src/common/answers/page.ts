import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { Allow } from 'class-validator/cjs/decorator/common/Allow.js';
import { Describe, describedBy, integerSchema } from '../input/parameters.js';
import { Repeated } from '../input/plain-data.js';
import { OptionalId } from '../input/transforms.js';
import type { Json } from './json.js';

/** The default number of rows. */
export const DEFAULT_LIMIT = 20;
/** A larger `limit` is ignored (spec §8). */
export const MAX_LIMIT = 40;

/**
 * Counts of what others send end here, as those of unread notifications do in the reference: strangers can make such a number
 * grow, and each count would cost as much as it shows.
 */
export const MAX_COUNTED = 1_000;

/**
 * Counts of lists for the staff end here, and mean "or more" then: other servers and strangers decide how long these lists are,
 * and a count reads each of their rows.
 */
export const MAX_LISTED = 10_000;

/** A page of a list for the staff, and how many entries it found. */
export interface ListedPage {
  readonly limit: number;
  readonly offset: number;
  readonly found: number;
}

/**
 * The total of a list for the staff. One that is not exact is at least what the page shows, and one more where the page is full,
 * so that clients that page by the total go on.
 */
export function listedTotal(
  counted: number,
  { limit, offset, found }: ListedPage,
  isExact = counted < MAX_LISTED,
): number {
  if (isExact) return counted;
  return Math.max(Math.min(counted, MAX_LISTED), offset + found + (found === limit ? 1 : 0));
}

/** Lists that apps read without pages end here, with the newest rows. */
export const MAX_UNPAGED = 1_000;

/** The most bytes of rendered items in a page: above it a page has fewer items, and the next page the others (threat F22). */
export const MAX_PAGE_BYTES = 1_048_576;

/** The paging parameters of lists ordered by id (spec §10.3). */
export class PageQuery {
  @Describe('Only entries before this one: its id, or the cursor in the `Link` header.')
  @OptionalId()
  max_id?: string;
  @Describe('The entries that follow this one immediately.')
  @OptionalId()
  min_id?: string;
  @Describe('The newest entries after this one.')
  @OptionalId()
  since_id?: string;
  @PageLimit()
  limit = DEFAULT_LIMIT;
  @PageOffset()
  offset = 0;
}

/** The cursors of a page: ids of the list's order, which may differ from the ids of the items. */
export interface Cursors {
  readonly first: string;
  readonly last: string;
}

/** One page of a list. The answer has its items, and the cursors in the `Link` header. */
export class Page<T> {
  constructor(
    readonly items: readonly T[],
    readonly cursors: Cursors | undefined,
  ) {}

  /** The page with each item replaced. */
  map<U>(replace: (item: T) => U): Page<U> {
    return this.with(this.items.map(replace));
  }

  /** The page with other items, such as all its rows rendered; some may be missing. */
  with<U>(items: readonly U[]): Page<U> {
    return new Page(items, this.cursors);
  }
}

/** One page of a list whose answer is an object, such as a list with the things that its items name. */
export class PagedObject {
  constructor(
    readonly body: Json,
    readonly cursors: Cursors | undefined,
  ) {}
}

/** From 1 to 40; any other value is ignored. */
export function PageLimit(): PropertyDecorator {
  return applyDecorators(Describe('The most entries of the answer.'), number({ min: 1, max: MAX_LIMIT }));
}

/** Like {@link PageLimit}, but 0 is valid and means all. */
export function PageLimitOrAll(): PropertyDecorator {
  return number({ min: 0, max: MAX_LIMIT });
}

/** From 1, or from 0 where that is the last page; any other value is ignored. */
export function PageNumber({ min = 1, max = Number.MAX_SAFE_INTEGER } = {}): PropertyDecorator {
  const last = min === 0 ? '; 0 for the last' : '';
  return applyDecorators(Describe(`The number of the page, from 1${last}.`), number({ min, max }));
}

/** From 1 to `max`; any other value is ignored. */
export function PageSize({ max }: { readonly max: number }): PropertyDecorator {
  return applyDecorators(Describe('The entries of a page.'), number({ min: 1, max }));
}

/** From 0; any other value is ignored. */
export function PageOffset(): PropertyDecorator {
  return applyDecorators(Describe('How many entries to skip.'), number({ min: 0 }));
}

/** A whole number that is never refused: an unreadable one keeps the property's initial value. */
function number(bounds: { readonly min: number; readonly max?: number }): PropertyDecorator {
  const { min, max = Number.MAX_SAFE_INTEGER } = bounds;
  const read = ({ obj, key }: TransformFnParams) => {
    const given = (obj as Readonly<Record<string, unknown>>)[key];
    const value = given instanceof Repeated ? given.at(-1) : given;
    const parsed = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return typeof parsed === 'number' && Number.isInteger(parsed) && parsed >= min && parsed <= max
      ? parsed
      : undefined;
  };
  return applyDecorators(Transform(read), Allow(), describedBy(integerSchema(bounds)));
}

/** A page with the cursors of its rows, which are not ids of the entities shown. */
export function cursorPage<Row extends { readonly cursor: string }>(rows: readonly Row[]): Page<Row> {
  const first = rows[0]?.cursor;
  const last = rows.at(-1)?.cursor;
  return new Page(rows, first === undefined || last === undefined ? undefined : { first, last });
}

/**
 * The page of some rows and their items, as many as fit in {@link MAX_PAGE_BYTES}, at least one. The cursors come from the
 * rows, also from those without an item. A page that was asked for by `min_id` ends early at its upper end.
 */
export function boundedPage<Row>(
  rows: readonly Row[],
  { min_id: minId }: Pick<PageQuery, 'min_id'>,
  { cursorOf, itemOf }: { cursorOf: (row: Row) => string; itemOf: (row: Row) => Json | undefined },
): Page<Json> {
  const bounded = boundedRows(rows, minId, (row) => itemOf(row)?.size ?? 0);
  const { cursors } = cursorPage(bounded.map((row) => ({ cursor: cursorOf(row) })));
  return new Page(
    bounded.flatMap((row) => itemOf(row) ?? []),
    cursors,
  );
}

/**
 * As many rows as fit in {@link MAX_PAGE_BYTES}, at least one; with a `minId` those at the lower end.
 * @param sizeOf the bytes that a row adds to the page; called once for each row, in the order in which they are kept
 */
export function boundedRows<Row>(
  rows: readonly Row[],
  minId: string | undefined,
  sizeOf: (row: Row) => number,
): readonly Row[] {
  const isUpwards = minId !== undefined;
  const bounded: Row[] = [];
  let bytes = 0;
  for (const row of isUpwards ? rows.toReversed() : rows) {
    const size = sizeOf(row);
    if (bytes > 0 && bytes + size > MAX_PAGE_BYTES) break;
    bytes += size;
    bounded.push(row);
  }
  return isUpwards ? bounded.toReversed() : bounded;
}
