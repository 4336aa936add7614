import fs from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readMultipart } from './multipart.js';

const BOUNDARY = 'tea';

/** A request whose form has one file. */
function formWith(content: string): IncomingMessage {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
  const body = Readable.from([Buffer.from(`${head}${content}\r\n--${BOUNDARY}--\r\n`)]);
  return Object.assign(body, {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }) as unknown as IncomingMessage;
}

describe('a form', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-multipart-'));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  const read = (content: string) =>
    readMultipart(formWith(content), {
      maxFieldBytes: 100,
      files: { maxFiles: 1, maxBytes: () => 3 },
      newPath: () => join(folder, 'upload'),
    });

  it('has its file on disk', async () => {
    const { files, paths } = await read('abc');
    expect(files.get('file')).toMatchObject({ path: join(folder, 'upload'), filename: 'a.txt', size: 3 });
    expect(await readdir(folder)).toEqual(['upload']);
    expect(paths).toEqual([join(folder, 'upload')]);
  });

  it('that is refused leaves nothing behind, however long the disk takes to make its file', async () => {
    const open = fs.open;
    const refused = Promise.withResolvers<undefined>();
    const made: Promise<undefined>[] = [];
    jest.spyOn(fs, 'open').mockImplementation(((
      path: string,
      flags: string,
      mode: number,
      done: fs.NoParamCallback,
    ) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      made.push(promise);
      void refused.promise.then(() =>
        open(path, flags, mode, (...result) => {
          (done as (...result: unknown[]) => void)(...result);
          resolve(undefined);
        }),
      );
    }) as typeof fs.open);
    await expect(read('abcd')).rejects.toMatchObject({ status: 413 });
    refused.resolve(undefined);
    await Promise.all(made);
    expect(await readdir(folder)).toEqual([]);
  });
});
