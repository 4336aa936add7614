import { describe, expect, it } from '@jest/globals';
import { Check } from 'typebox/value';
import { definitions } from './definitions.js';
import { fits } from './fits.js';

const NAMES = Object.entries(definitions);

/** Values of all kinds, near the bounds of settings. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, false, 0, 1, -1, 0.5, 16, 60_000, 1e9, NaN, '1', '', 'a', 'a b', 'en', 'public', 'native'],
  ...['https://a.example/x', '/x', 'x@y.z', 'ä'.repeat(100), '😀'.repeat(100), 'a'.repeat(2_000), 'a'.repeat(2_001)],
  ...[
    [],
    {},
    [1, 2],
    [1, 2, 3],
    [
      [1, 2],
      [3, 4],
    ],
    [
      [1, 2],
      [0, 4],
    ],
    [[1, 2], 3],
    [0, 1],
    ['a'],
    ['a', 'a'],
    ['a', 1],
  ],
  ...[{ local: true }, { local: true, federated: false }, { local: true, federated: 1 }, { local: true, other: true }],
];

describe('fits', () => {
  it.each(NAMES)('judges values of %s as a validator of JSON schemas does', (_path, { type, default: standard }) => {
    const values = [...VALUES, ...variantsOf(standard)];
    const ours = values.filter((value) => fits(type.schema, value));
    expect(ours).toEqual(values.filter((value) => Check(type.schema, value)));
    expect(fits(type.schema, standard)).toBe(true);
  });

  it('knows what it does not know', () => {
    expect(() => fits({ type: 'date' }, '2024-05-01')).toThrow('No setting is of the type');
  });
});

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The value itself and what is almost it. */
function variantsOf(value: unknown): unknown[] {
  if (typeof value === 'number') return [value, -value, value + 0.5, String(value)];
  if (typeof value === 'string') return [value, `${value}\n`, ` ${value}`, `${value}x`, [value]];
  if (isList(value)) return [value, [...value, ...value], [...value, null], Object.fromEntries(value.entries())];
  if (typeof value !== 'object' || value === null) return [value];
  const entries = Object.entries(value);
  return [
    value,
    { ...value, more: true },
    Object.fromEntries(entries.slice(1)),
    ...entries.map(([name]) => ({ ...value, [name]: null })),
    ...entries.map(([name, field]) => ({ ...value, [name]: field === true ? 1 : -1e12 })),
  ];
}
