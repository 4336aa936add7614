import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../../../test/support/eventually.js';
import { MEDIA_TYPES } from '../../platform/index.js';
import { Download } from './download.js';

describe('a download in progress', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-download-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A download of `abc` that the test continues. */
  async function begin() {
    const file = await open(join(folder, 'draft'), 'wx+');
    const more = Promise.withResolvers<undefined>();
    async function* body() {
      yield Buffer.from('abc');
      await more.promise;
    }
    const download = new Download(MEDIA_TYPES[0]!, undefined, file, body(), () => Promise.resolve('kept'));
    return { download, file, end: () => more.resolve(undefined) };
  }

  it('serves all readers before it is whole', async () => {
    const { download, end } = await begin();
    const read = [download.read()!, download.read()!].map((stream) => buffer(stream));
    end();
    expect((await Promise.all(read)).map(String)).toEqual(['abc', 'abc']);
    expect(await download.finished).toBe('kept');
    expect(download.read()).toBeUndefined();
  });

  it('fails when the file is truncated on the disk', async () => {
    const { download, file, end } = await begin();
    await eventually(async () => expect((await file.stat()).size).toBe(3));
    await file.truncate(2);
    await expect(buffer(download.read()!)).rejects.toThrow('cut short');
    end();
    expect(await download.finished).toBe('kept');
  });
});
