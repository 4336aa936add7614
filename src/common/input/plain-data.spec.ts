import { Invalid } from '../errors/errors.js';
import { isPlainObject, plainData, Repeated } from './plain-data.js';

describe('plainData', () => {
  it('copies data without keys that reach a prototype', () => {
    const copy = plainData(JSON.parse('{"a":[{"__proto__":{"x":1},"b":null}],"constructor":1,"prototype":2}'));
    expect(JSON.stringify(copy)).toBe('{"a":[{"b":null}]}');
    expect(Object.getPrototypeOf(copy)).toBeNull();
    expect((copy as { x?: number }).x).toBeUndefined();
  });

  it('limits depth and keys, but not the length of arrays', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
    expect(() => plainData(deep(32))).not.toThrow();
    expect(() => plainData(deep(33))).toThrow(Invalid);
    const wide = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, 1]));
    expect(() => plainData({ a: wide(999) })).not.toThrow();
    expect(() => plainData({ a: wide(1000) })).toThrow(Invalid);
    expect(plainData(Array(5000).fill(1))).toHaveLength(5000);
  });

  it('distinguishes lists of a form from arrays', () => {
    expect(plainData({ a: ['1'] }, { form: true })).toEqual({ a: Repeated.of('1') });
    expect((plainData({ a: ['1'] }) as { a: unknown }).a).not.toBeInstanceOf(Repeated);
    expect(Repeated.of('1', '2').map(String)).not.toBeInstanceOf(Repeated);
  });
});

it('recognises objects of keys and values only', () => {
  expect([{}, Object.create(null), { a: 1 }].every(isPlainObject)).toBe(true);
  expect([null, [], 'x', 1, undefined, new Date(), new Map()].some(isPlainObject)).toBe(false);
});
