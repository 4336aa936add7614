import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CachedObjects, contradicts, MediaStorage, ObjectStore, StorageError } from '../../src/platform/index.js';
import { S3_SECRET, useS3 } from '../support/servers/s3.js';
import { filesOnDisk, STORAGES, type TestStorage } from '../support/servers/stored-files.js';

const PART = 5 * 1024 * 1024;

const s3 = useS3();
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const storageOn = (kind: TestStorage) =>
  new MediaStorage({ dataDir, mediaFileMode: '0600' }, kind === 's3' ? s3.store('svc') : null);

describe.each(STORAGES)('a storage on %s', (kind) => {
  let storage: MediaStorage;
  beforeEach(async () => {
    storage = storageOn(kind);
    await storage.onModuleInit();
  });

  async function content(key: string, range?: { start: number; end: number }): Promise<string | undefined> {
    const file = await storage.open(key, range);
    return file && (await buffer(file.stream)).toString();
  }

  it('stores bytes, streams and local files, which leave their path', async () => {
    const upload = join(dataDir, 'upload');
    await writeFile(upload, 'from a file');
    await storage.put('a.txt', Buffer.from('from bytes'));
    await storage.put('ab/cd/b.txt', Readable.from([Buffer.from('from a '), Buffer.from('stream')]));
    await storage.put('c', { path: upload });
    expect(await content('a.txt')).toBe('from bytes');
    expect(await content('ab/cd/b.txt')).toBe('from a stream');
    expect(await content('c')).toBe('from a file');
    await expect(stat(upload)).rejects.toThrow('ENOENT');
    const stored = ['media/a.txt', 'media/ab/cd/b.txt', 'media/c'];
    expect(await (kind === 's3' ? s3.keys('svc') : filesOnDisk(dataDir).paths(''))).toEqual(stored);
  });

  it('knows size and time, serves ranges, and finds no missing file', async () => {
    await storage.put('digits', Buffer.from('0123456789'));
    expect(await storage.stat('digits')).toMatchObject({ size: 10, modifiedAt: expect.any(Date) });
    expect(await content('digits', { start: 2, end: 4 })).toBe('234');
    const part = await storage.open('digits', { start: 9, end: 9 });
    expect(part).toMatchObject({ size: 10 });
    part?.stream.destroy();
    await storage.remove('digits', 'never/was');
    for (const key of ['digits', 'never/was'])
      expect([await storage.stat(key), await storage.open(key)]).toEqual([undefined, undefined]);
  });

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    '/etc/passwd',
    'a//b',
    'a/',
    '.hidden',
    'a/.hidden',
    '.drafts/x',
    'a\\b',
    'a\0b',
    'a b',
    'A',
    'ä',
    'a\n',
    '%2e%2e/x',
    'x'.repeat(129),
    'a/'.repeat(256) + 'ab',
  ])('refuses the key %j', async (key) => {
    const outside = join(dataDir, 'x');
    await writeFile(outside, 'outside');
    await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(RangeError);
    await expect(storage.open(key)).rejects.toThrow(RangeError);
    await expect(storage.stat(key)).rejects.toThrow(RangeError);
    await expect(storage.remove(key)).rejects.toThrow(RangeError);
    expect((await stat(outside)).size).toBe(7);
  });
});

describe('a storage in S3', () => {
  it('lists page after page, and finds folders', async () => {
    const store = s3.store('many');
    const keys = Array.from({ length: 1_001 }, (_, at) => `m/${String(at).padStart(4, '0')}`);
    for (let start = 0; start < keys.length; start += 100)
      await Promise.all(keys.slice(start, start + 100).map((key) => store.put(key, Buffer.from(key))));
    await store.put('emoji/two words/pack.json', Buffer.from('{}'));
    const listed: string[] = [];
    for await (const { key, size } of store.list('m/')) {
      expect(size).toBe(6);
      listed.push(key);
    }
    expect(listed).toEqual(keys);
    expect(await store.folders('emoji/')).toEqual(['two words']);
    await store.remove(keys);
    expect(await s3.keys('many')).toEqual(['emoji/two words/pack.json']);
  });

  it('sends large contents in parts, and sends a part again that was lost', async () => {
    const store = s3.store('parts', PART);
    const whole = randomBytes(2 * PART + 7);
    let isFirst = true;
    s3.filter((request) => {
      const isLost = request.includes('partNumber=2') && isFirst;
      if (isLost) isFirst = false;
      return !isLost;
    });
    expect(await store.put('large', Readable.from([whole.subarray(0, 100), whole.subarray(100)]))).toBe(whole.length);
    expect(isFirst).toBe(false);
    const file = await store.open('large');
    expect((await buffer(file!.stream)).equals(whole)).toBe(true);
    expect(await store.bytes('large', { start: PART - 1, end: PART })).toEqual(whole.subarray(PART - 1, PART + 1));
  });

  it('leaves the former object, and no parts, when the content breaks off', async () => {
    const store = s3.store('broken', PART);
    await store.put('key', Buffer.from('former'));
    const breaking = Readable.from(
      (function* () {
        yield randomBytes(PART + 1);
        throw new Error('the client went away');
      })(),
    );
    await expect(store.put('key', breaking)).rejects.toThrow('the client went away');
    expect((await store.bytes('key', { start: 0, end: 5 }))?.toString()).toBe('former');
    expect(s3.requests.filter((request) => request.startsWith('DELETE /files/broken/key?'))).toHaveLength(1);
  });

  it('is read through a cache, which takes no object for another one that replaced it', async () => {
    const store = s3.store('cached');
    const cache = new CachedObjects(store, join(dataDir, 'cache'), 1_000);
    const read = async () => (await buffer((await cache.open('cup.png'))!.stream)).toString();
    await store.put('cup.png', Buffer.from('former'));
    await cache.stat('cup.png');
    await store.put('cup.png', Buffer.from('newer'));
    expect([await read(), await read()]).toEqual(['newer', 'newer']);
    await store.put('cup.png', Buffer.from('former'));
    cache.forget('cup.png');
    expect(await read()).toBe('former');
  });

  it('is read also while the folder of the cache is removed or cannot be written', async () => {
    const store = s3.store('uncached');
    const folder = join(dataDir, 'cache');
    const cache = new CachedObjects(store, folder, 1_000);
    const read = async () => (await buffer((await cache.open('cup.png'))!.stream)).toString();
    const downloads = () => s3.requests.filter((request) => request.startsWith('GET /files/uncached/cup.png')).length;
    await store.put('cup.png', Buffer.from('cup'));
    expect([await read(), await read(), downloads()]).toEqual(['cup', 'cup', 1]);
    await rm(folder, { recursive: true });
    expect([await read(), await read(), downloads()]).toEqual(['cup', 'cup', 2]);
    await rm(folder, { recursive: true });
    await writeFile(folder, 'no folder');
    expect(await read()).toBe('cup');
    expect(await buffer((await new CachedObjects(store, folder, 1_000).open('cup.png'))!.stream)).toEqual(
      Buffer.from('cup'),
    );
    await rm(folder);
    const before = downloads();
    expect([await read(), await read(), downloads()]).toEqual(['cup', 'cup', before + 1]);
  });

  it('fails with a reason and without the key when the storage is away or refuses', async () => {
    const failures: StorageError[] = [];
    const { address } = s3.store() as unknown as { address: ConstructorParameters<typeof ObjectStore>[0] };
    const stranger = new ObjectStore(address, { id: 'other', secret: S3_SECRET }, (error) => failures.push(error));
    await expect(stranger.check()).rejects.toThrow('The storage of files refused: 403');
    s3.goAway();
    const away = await storageOn('s3')
      .stat('x')
      .catch((error: unknown) => error);
    expect(away).toBeInstanceOf(StorageError);
    expect(String(away)).toMatch(/^StorageError: The storage of files does not answer: (ECONNRESET|TimeoutError)$/);
    expect(failures).toHaveLength(1);
    for (const error of [away, ...failures])
      expect(`${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain('hush');
  });
});

describe('the entity tag of an object', () => {
  const md5 = (...contents: (string | Buffer)[]) =>
    createHash('md5')
      .update(Buffer.concat(contents.map((content) => Buffer.from(content))))
      .digest();
  const sum = (content: string) => md5(content).toString('hex');
  const ofParts = (...parts: string[]) => `${md5(...parts.map((part) => md5(part))).toString('hex')}-${parts.length}`;

  it.each([
    ['one', sum('one'), false],
    ['one', `"${sum('one')}"`, false],
    ['one', sum('two'), true],
    ['one', ofParts('one'), false],
    ['one', ofParts('two'), true],
    ['12345', ofParts('1234', '5'), false],
    ['12345', ofParts('1234', '6'), true],
    ['12345', ofParts('123', '4', '5'), false],
    ['12345', sum('12345'), false],
    ['one', 'another form', false],
    ['one', undefined, false],
  ])('of %j in parts of 4 bytes: %s contradicts = %s', async (content, tag, expected) => {
    expect(await contradicts(Buffer.from(content), 4, tag)).toBe(expected);
  });
});
