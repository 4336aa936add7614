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

  async function content(key: string): Promise<string | undefined> {
    const file = await storage.open(key);
    return file && (await buffer(file.stream)).toString();
  }

  it('leaves the file behind a file stream in place', async () => {
    const original = join(dataDir, 'original');
    await writeFile(original, 'text');
    await storage.put('copy', createReadStream(original));
    expect(await content('copy')).toBe('text');
    expect((await stat(original)).size).toBe(4);
  });

  it('returns undefined below a file, and ignores the removal', async () => {
    await storage.put('file', Buffer.from('x'));
    expect(await storage.stat('file/below')).toBeUndefined();
    expect(await storage.open('file/below')).toBeUndefined();
    await storage.remove('file/below');
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
