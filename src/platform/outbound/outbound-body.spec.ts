import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isAcceptable, readBody } from './outbound-body.js';

const MEGABYTE = 1024 * 1024;
const streamOf = (...chunks: Buffer[]) => Readable.from(chunks);

describe('readBody', () => {
  const text = Buffer.from('{"type":"Note"}');

  it.each([
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['BR', brotliCompressSync(text)],
    [' deflate ', deflateSync(text)],
  ])('decodes %j', async (coding, bytes) => {
    expect(await readBody(streamOf(bytes.subarray(0, 5), bytes.subarray(5)), coding, 100)).toEqual(text);
  });

  it('accepts an empty body with any coding', async () => {
    for (const coding of ['', 'gzip', 'br', 'unheard-of']) {
      expect(await readBody(streamOf(), coding, 100)).toHaveLength(0);
    }
  });

  it('accepts a body of exactly the limit and no byte more', async () => {
    const exact = Buffer.alloc(1000, 'x');
    expect(await readBody(streamOf(exact), '', 1000)).toHaveLength(1000);
    expect(await readBody(streamOf(gzipSync(exact)), 'gzip', 1000)).toHaveLength(1000);
    for (const [coding, bytes] of [
      ['', exact],
      ['gzip', gzipSync(exact)],
    ] as const) {
      await expect(readBody(streamOf(bytes), coding, 999)).rejects.toMatchObject({ kind: 'too-large' });
    }
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(64 * MEGABYTE))],
    ['br', brotliCompressSync(Buffer.alloc(64 * MEGABYTE))],
    ['deflate', deflateSync(Buffer.alloc(64 * MEGABYTE))],
  ])('stops a bomb in %s', async (coding, bytes) => {
    expect(bytes.length).toBeLessThan(MEGABYTE);
    await expect(readBody(streamOf(bytes), coding, MEGABYTE)).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('stops reading an endless body', async () => {
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sent += 1;
          yield Buffer.alloc(1024);
        }
      })(),
    );
    await expect(readBody(endless, '', 10 * 1024)).rejects.toMatchObject({ kind: 'too-large' });
    expect(endless.destroyed).toBe(true);
    expect(sent).toBeLessThan(100);
  });

  it.each([
    ['gzip', Buffer.from('not gzip')],
    ['gzip', gzipSync(text).subarray(0, 20)],
    ['br', Buffer.from('not brotli either')],
    ['zstd', text],
    ['gzip, gzip', gzipSync(gzipSync(text))],
  ])('fails for a body that is not %s', async (coding, bytes) => {
    await expect(readBody(streamOf(bytes), coding, 1000)).rejects.toMatchObject({ kind: 'network' });
  });
});

describe('isAcceptable', () => {
  const activity = [
    'application/activity+json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  ];

  it.each([
    'application/activity+json',
    'Application/Activity+JSON; charset=utf-8',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'application/ld+json;charset=utf-8;profile="https://example.com/x https://www.w3.org/ns/activitystreams"',
  ])('accepts %s', (type) => {
    expect(isAcceptable(type, activity)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/html',
    'application/json',
    'application/ld+json',
    'application/ld+json; profile="https://example.com/x"',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams/but-another"',
    'application/activity+jsonx',
    'image/png',
    'nonsense',
    'application/activity+json, text/html',
  ])('refuses %j', (type) => {
    expect(isAcceptable(type, activity)).toBe(false);
  });

  it('accepts ranges of types', () => {
    expect(isAcceptable('image/webp', ['image/*'])).toBe(true);
    expect(isAcceptable('video/mp4', ['image/*', 'audio/*'])).toBe(false);
  });
});
