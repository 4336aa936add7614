import { jest } from '@jest/globals';
import { createReadStream } from 'node:fs';
import * as files from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MediaStorage } from './media-storage.js';

describe('MediaStorage', () => {
  let dataDir: string;
  let storage: MediaStorage;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
    storage = new MediaStorage({ dataDir, mediaFileMode: '0600' }, null);
    await storage.onModuleInit();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const drafts = () => readdir(join(dataDir, 'media', '.drafts'));

  async function content(key: string, range?: { start: number; end: number }): Promise<string | undefined> {
    const file = await storage.open(key, range);
    return file && (await buffer(file.stream)).toString();
  }

  it('stores bytes, streams and local files', async () => {
    const upload = join(dataDir, 'upload');
    await writeFile(upload, 'from a file');
    await storage.put('a.txt', Buffer.from('from bytes'));
    await storage.put('ab/cd/b.txt', Readable.from([Buffer.from('from a '), Buffer.from('stream')]));
    await storage.put('c', { path: upload });
    expect(await content('a.txt')).toBe('from bytes');
    expect(await content('ab/cd/b.txt')).toBe('from a stream');
    expect(await content('c')).toBe('from a file');
    await expect(stat(upload)).rejects.toThrow('ENOENT');
    expect(await drafts()).toEqual([]);
  });

  it('leaves the file behind a file stream in place', async () => {
    const original = join(dataDir, 'original');
    await writeFile(original, 'text');
    await storage.put('copy', createReadStream(original));
    expect(await content('copy')).toBe('text');
    expect((await stat(original)).size).toBe(4);
  });

  it('knows size and time, and serves ranges', async () => {
    await storage.put('digits', Buffer.from('0123456789'));
    const { mtime } = await stat(join(dataDir, 'media', 'digits'));
    expect(await storage.stat('digits')).toEqual({ size: 10, modifiedAt: mtime });
    expect(await content('digits', { start: 2, end: 4 })).toBe('234');
    expect(await content('digits', { start: 9, end: 9 })).toBe('9');
    const part = await storage.open('digits', { start: 2, end: 4 });
    expect(part).toMatchObject({ size: 10 });
    part?.stream.destroy();
  });

  it('returns undefined for a missing file, and ignores its removal', async () => {
    await storage.put('here', Buffer.from('x'));
    await storage.remove('here');
    await storage.put('file', Buffer.from('x'));
    for (const key of ['here', 'never/was', 'file/below']) {
      expect(await storage.stat(key)).toBeUndefined();
      expect(await storage.open(key)).toBeUndefined();
      await storage.remove(key);
    }
  });

  it('returns undefined for the folder of a file', async () => {
    await storage.put('folder/file', Buffer.from('x'));
    expect(await storage.stat('folder')).toBeUndefined();
    expect(await storage.open('folder')).toBeUndefined();
  });

  it('replaces a file as a whole: an open reader keeps the old one, a failed write changes nothing', async () => {
    await storage.put('key', Buffer.from('old'));
    const reader = await storage.open('key');
    await storage.put('key', Buffer.from('new text'));
    expect((await buffer(reader!.stream)).toString()).toBe('old');
    expect(await content('key')).toBe('new text');

    const breaking = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('the client went away');
      })(),
    );
    await expect(storage.put('key', breaking)).rejects.toThrow('the client went away');
    expect(await content('key')).toBe('new text');
    expect(await drafts()).toEqual([]);
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

  it('removes abandoned drafts at the start, but not new ones', async () => {
    const folder = join(dataDir, 'media', '.drafts');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'fresh'), '');
    await writeFile(join(folder, 'abandoned'), '');
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    await utimes(join(folder, 'abandoned'), twoDaysAgo, twoDaysAgo);
    await new MediaStorage({ dataDir, mediaFileMode: '0600' }, null).onModuleInit();
    expect(await drafts()).toEqual(['fresh']);
  });

  it.each([
    [1_048_576, 104_857_600, false],
    [1_048_575, 104_857_600, true],
    [50_000, 1_000_000, false],
    [49_999, 1_000_000, true],
  ])('M8 with %i of %i KiB free returns isFull = %s', async (bavail, blocks, isFull) => {
    jest.unstable_mockModule('node:fs/promises', () => ({
      ...files,
      statfs: () => Promise.resolve({ bavail, blocks, bsize: 1024 }),
    }));
    jest.resetModules();
    const watched = await import('./media-storage.js');
    expect(await new watched.MediaStorage({ dataDir, mediaFileMode: '0600' }, null).isFull()).toBe(isFull);
  });
});
