import fs from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { readMultipart } from './multipart.js';

const BOUNDARY = 'tea';

const part = (head: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const file = (content: string, name = 'a.txt') => part(`name="file"; filename="${name}"`, content);
const text = (name: string, content: string) => part(`name="${name}"`, content);

/** A request with a form. */
function formWith(...parts: readonly string[]): IncomingMessage {
  const body = Readable.from([Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`)]);
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

  const read = (...parts: readonly string[]) => {
    let uploads = 0;
    return readMultipart(formWith(...parts), {
      maxFieldBytes: 100_000,
      files: { maxFiles: 2, maxBytes: () => 3 },
      newPath: () => join(folder, `upload${String((uploads += 1))}`),
    });
  };

  it('stores its file on disk', async () => {
    const { files, paths } = await read(file('abc'));
    expect(files.get('file')).toMatchObject({ path: join(folder, 'upload1'), filename: 'a.txt', size: 3 });
    expect(await readdir(folder)).toEqual(['upload1']);
    expect(paths).toEqual([join(folder, 'upload1')]);
  });

  it('is read to its end when a file is left out for its size, within reason', async () => {
    let uploads = 0;
    const left = (bytes: number) =>
      readMultipart(formWith(file('x'.repeat(bytes)), text('a', 'b')), {
        maxFieldBytes: 100_000,
        files: { maxFiles: 2, maxBytes: () => 3, leavesOut: true },
        newPath: () => join(folder, `upload${String((uploads += 1))}`),
      });
    const { fields, files, refusal } = await left(1_000_000);
    expect([fields, files.size, refusal?.status]).toEqual([{ a: 'b' }, 0, 413]);
    await expect(left(17 * 1_048_576)).rejects.toMatchObject({ status: 413 });
  });

  it('keeps the order of its texts, even when they are read at different speeds', async () => {
    const texts = ['x'.repeat(70_000), '', 'b', '', 'c'];
    const { fields } = await read(...texts.map((content) => text('a[]', content)));
    expect(fields).toEqual({ a: texts });
  });

  it('uses the last file of a field, even if the disk is slow with the first', async () => {
    const handle = await open(join(folder, 'any'), 'w');
    await handle.close();
    const last = Promise.withResolvers<undefined>();
    function slowDisk(this: FileHandle): Writable {
      const chunks: Buffer[] = [];
      const end = async () => {
        await this.close();
        if (Buffer.concat(chunks).toString() === 'abc') await last.promise;
        else setImmediate(() => last.resolve(undefined));
      };
      return new Writable({
        write: (chunk: Buffer, _encoding, done) => done(void chunks.push(chunk)),
        final: (done) => void end().then(() => done(), done),
      });
    }
    jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'createWriteStream').mockImplementation(slowDisk as never);
    const { files } = await read(file('abc', 'first.txt'), file('ab', 'last.txt'));
    expect(files.get('file')).toMatchObject({ filename: 'last.txt', size: 2 });
  });

  it('H24 is read in large pieces, although it comes byte by byte', async () => {
    const request = formWith();
    const body = Object.assign(new Readable({ read: () => undefined }), { headers: request.headers });
    for (const byte of Buffer.from(`${text('a', 'x'.repeat(20_000))}--${BOUNDARY}--\r\n`)) body.push(Buffer.of(byte));
    body.push(null);
    const reads = jest.spyOn(body, 'read');
    const options = { maxFieldBytes: 100_000, files: undefined, newPath: () => '' };
    const { fields } = await readMultipart(body as unknown as IncomingMessage, options);
    expect(fields).toEqual({ a: 'x'.repeat(20_000) });
    expect(reads.mock.calls.length).toBeLessThan(10);
  });

  it('is read no faster than the disk takes its file', async () => {
    const handle = await open(join(folder, 'any'), 'w');
    await handle.close();
    const [total, chunk] = [16 * 1_048_576, Buffer.alloc(65_536, 'x')];
    let [read, written, most] = [0, 0, 0];
    const slowDisk = () =>
      new Writable({
        write: (bytes: Buffer, _encoding, done) => {
          written += bytes.length;
          most = Math.max(most, read - written);
          setImmediate(done);
        },
      });
    jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'createWriteStream').mockImplementation(slowDisk as never);
    const end = `\r\n--${BOUNDARY}--\r\n`;
    const body = new Readable({
      read() {
        read += chunk.length;
        this.push(read <= total ? chunk : read <= total + chunk.length ? Buffer.from(end) : null);
      },
    });
    body.unshift(Buffer.from(file('').slice(0, -2)));
    const { files } = await readMultipart(Object.assign(body, { headers: formWith().headers }) as never, {
      maxFieldBytes: 100_000,
      files: { maxFiles: 1, maxBytes: () => total },
      newPath: () => join(folder, 'upload'),
    });
    expect(files.get('file')?.size).toBe(total);
    expect(most).toBeLessThan(1_048_576);
  });

  it('leaves no file after a refusal, even if the disk is slow', async () => {
    const realOpen = fs.open;
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
        realOpen(path, flags, mode, (...result) => {
          (done as (...result: unknown[]) => void)(...result);
          resolve(undefined);
        }),
      );
    }) as typeof fs.open);
    await expect(read(file('abcd'))).rejects.toMatchObject({ status: 413 });
    refused.resolve(undefined);
    await Promise.all(made);
    expect(await readdir(folder)).toEqual([]);
  });
});
