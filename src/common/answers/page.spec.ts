import { Json } from './json.js';
import { boundedPage, MAX_PAGE_BYTES } from './page.js';

const HALF = MAX_PAGE_BYTES / 2;

/** The rows of a page, named by their place, and its cursors. */
function page(sizes: readonly number[], query: { min_id?: string } = {}) {
  const rows = sizes.map((size, at) => ({ id: String(at), size }));
  const made = boundedPage(rows, query, {
    cursorOf: ({ id }) => id,
    itemOf: ({ id, size }) => (size === 0 ? undefined : Json.of(id.padEnd(size - 2))),
  });
  const ids = made.items.map((item) => String(item.parse()).trim());
  return [ids.join(), made.cursors && `${made.cursors.first} ${made.cursors.last}`];
}

describe('boundedPage', () => {
  it.each([
    ['no rows', [], {}, '', undefined],
    ['all that fit', [HALF, HALF], {}, '0,1', '0 1'],
    ['the first that fit', [HALF, HALF, 10], {}, '0,1', '0 1'],
    ['the last that fit, towards newer rows', [10, HALF, HALF], { min_id: '9' }, '1,2', '1 2'],
    ['one that does not fit', [2 * MAX_PAGE_BYTES, 10], {}, '0', '0 0'],
    ['one that does not fit, towards newer rows', [10, 2 * MAX_PAGE_BYTES], { min_id: '9' }, '1', '1 1'],
    ['none after one that does not fit', [HALF, MAX_PAGE_BYTES, 10], {}, '0', '0 0'],
    ['the cursors of rows without an item', [0, 10, 0], {}, '1', '0 2'],
    ['rows without an item before one that does not fit', [0, 2 * MAX_PAGE_BYTES, 10], {}, '1', '0 1'],
  ])('keeps %s', (_case, sizes, query, ids, cursors) => {
    expect(page(sizes, query)).toEqual([ids, cursors]);
  });
});
