import { bigintKeyset, flakeKeyset, highestId, isBigintId, newestFirst } from './keyset.js';

describe('keyset pages', () => {
  it('always have both bounds', () => {
    expect(flakeKeyset({ limit: 20 })).toEqual({ direction: 'older', below: '~', above: '', limit: 20 });
    expect(flakeKeyset({ limit: 5, max_id: 'M', since_id: 'S' })).toEqual({
      direction: 'older',
      below: 'M',
      above: 'S',
      limit: 5,
    });
    expect(flakeKeyset({ limit: 5, min_id: 'A', max_id: 'M', since_id: 'S' })).toEqual({
      direction: 'newer',
      below: 'M',
      above: 'A',
      limit: 5,
    });
  });

  it('ignore an empty bound', () => {
    expect(flakeKeyset({ limit: 20, max_id: '', min_id: '' })).toEqual(flakeKeyset({ limit: 20 }));
  });

  it('H10 never pass an invalid number to the database', () => {
    const open = bigintKeyset({ limit: 20 });
    for (const max_id of ['undefined', '-1', '9'.repeat(400), '9223372036854775808', '1e3', ' 5']) {
      expect(bigintKeyset({ limit: 20, max_id })).toEqual(open);
    }
    expect(bigintKeyset({ limit: 20, max_id: '77' }).below).toBe('77');
    expect(isBigintId('9223372036854775807')).toBe(true);
  });

  it('H9 read nothing that begins too far away', () => {
    for (const keysetOf of [flakeKeyset, bigintKeyset]) {
      const limits = [0, 800, 801, Number.MAX_SAFE_INTEGER].map((offset) => keysetOf({ limit: 20, offset }).limit);
      expect(limits).toEqual([20, 20, 0, 0]);
      expect(keysetOf({ limit: 20, offset: 801, min_id: '7' }).limit).toBe(0);
    }
  });

  it('reverse a newer page', () => {
    expect(newestFirst([1, 2, 3], flakeKeyset({ limit: 3, min_id: 'A' }))).toEqual([3, 2, 1]);
    expect(newestFirst([3, 2, 1], flakeKeyset({ limit: 3 }))).toEqual([3, 2, 1]);
  });

  it('go on after the highest id', () => {
    expect(highestId(['9', '100', '99'])).toBe('100');
    expect(highestId(['0AZ', '0Aa', '0A9'])).toBe('0Aa');
    expect(highestId([])).toBeUndefined();
  });
});
