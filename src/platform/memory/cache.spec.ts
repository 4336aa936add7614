import { ByteCache, packTexts } from './cache.js';

const kilobytes = (count: number) => Buffer.alloc(count * 1024);

describe('ByteCache', () => {
  it('returns the last value of a key', () => {
    const cache = new ByteCache(100_000);
    cache.set('a', Buffer.from('1'));
    cache.set('b', Buffer.from('2'));
    cache.set('a', Buffer.from('3'));
    expect(cache.get('a')?.toString()).toBe('3');
    expect(cache.get('b')?.toString()).toBe('2');
    expect(cache.get('c')).toBeUndefined();
  });

  it('drops the least recently used entries to stay below its limit', () => {
    const cache = new ByteCache(10 * 1024);
    for (const key of ['a', 'b', 'c']) cache.set(key, kilobytes(3));
    cache.get('a');
    cache.set('d', kilobytes(3));
    expect(cache.get('b')).toBeUndefined();
    for (const key of ['a', 'c', 'd']) expect(cache.get(key)).toHaveLength(3 * 1024);
  });

  it('holds no more memory than it counts for any kind of buffer', () => {
    const cache = new ByteCache(10 * 1024);
    cache.set('small', Buffer.from('small'));
    cache.set('cut', kilobytes(100).subarray(5, 10));
    cache.set('packed', packTexts(4, ['ä', 'b']));
    for (const key of ['small', 'cut', 'packed']) {
      const cached = cache.get(key)!;
      expect(cached.buffer.byteLength).toBe(cached.length);
    }
    expect(cache.get('small')?.toString()).toBe('small');
    expect(cache.get('packed')?.subarray(4).toString()).toBe('äb');
  });

  it('stays below its limit with many empty entries', () => {
    const cache = new ByteCache(10 * 1024);
    const keys = Array.from({ length: 10_000 }, (_, at) => `key ${at}`);
    for (const key of keys) cache.set(key, Buffer.alloc(0));
    expect(keys.filter((key) => cache.get(key)).length).toBeLessThan(100);
  });

  it('stores no entry larger than the limit, and drops the older value of its key', () => {
    const cache = new ByteCache(10 * 1024);
    cache.set('a', kilobytes(1));
    cache.set('b', kilobytes(1));
    cache.set('a', kilobytes(11));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toHaveLength(1024);
  });
});
