import { mergePatch } from './merge-patch.js';

describe('mergePatch', () => {
  it.each([
    [undefined, { a: 1 }, { a: 1 }],
    [{ a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    [{ a: 1 }, { a: null }, {}],
    [{ a: { b: 1, c: { d: 2 } } }, { a: { c: { d: null, e: 3 } } }, { a: { b: 1, c: { e: 3 } } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
    [{ a: 'text' }, { a: { b: 1 } }, { a: { b: 1 } }],
    [[1], { a: 1 }, { a: 1 }],
    [{}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    [{ a: false }, {}, { a: false }],
  ])('merges %j and %j to %j', (current, changes, merged) => {
    expect(mergePatch(current, changes)).toEqual(merged);
  });

  it('changes neither argument', () => {
    const [current, changes] = [{ a: { b: 1 } }, { a: { c: 2 } }];
    mergePatch(current, changes);
    expect([current, changes]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
  });
});
