import { jest } from '@jest/globals';
import { rmSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const refused = Promise.withResolvers<undefined>();
const written = Promise.withResolvers<undefined>();

/** A disk that refuses one file, and writes the other more slowly than it removes it. */
const writeFile: typeof disk.writeFile = async (path, ...given) => {
  if (basename(path as string) === 'upload1') throw new Error('no room');
  await refused.promise;
  await disk.writeFile(path, ...given);
  written.resolve(undefined);
};
const removeAtOnce = (path: string): Promise<void> => {
  rmSync(path, { force: true });
  return Promise.resolve();
};
jest.unstable_mockModule('node:fs/promises', () => ({ ...disk, writeFile, rm: removeAtOnce }));
const { unpackDataUris } = await import('./data-uris.js');

it('leaves no files when one cannot be written, even with a slow disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'data-uris-'));
  try {
    let uploads = 0;
    const unpacking = unpackDataUris(
      { avatar: 'data:image/png;base64,YQ==', header: 'data:image/png;base64,Yg==' },
      { maxFiles: 2, maxBytes: () => 3 },
      () => join(folder, `upload${String((uploads += 1))}`),
    );
    setImmediate(() => refused.resolve(undefined));
    await expect(unpacking).rejects.toThrow('no room');
    await written.promise;
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
