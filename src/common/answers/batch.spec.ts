import { groupBy, inOrder, keyBy, unique } from './batch.js';

const rows = [
  { id: 1, of: 'a' },
  { id: 2, of: 'b' },
  { id: 3, of: 'a' },
];

it('the batch functions key, group, order and reduce rows', () => {
  const byId = keyBy(rows, ({ id }) => id);
  expect(byId.get(2)).toBe(rows[1]);
  expect(groupBy(rows, ({ of }) => of)).toEqual(
    new Map([
      ['a', [rows[0], rows[2]]],
      ['b', [rows[1]]],
    ]),
  );
  expect(inOrder([3, 9, 1], byId)).toEqual([rows[2], rows[0]]);
  expect(unique(['b', null, 'a', 'b', undefined])).toEqual(['b', 'a']);
});
