import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { type ZipEntry, zipped } from './zip.js';
import { unzipped } from '../../../test/support/fixtures/zip.js';

async function* of(...entries: ZipEntry[]): AsyncGenerator<ZipEntry> {
  for (const entry of entries) yield await Promise.resolve(entry);
}

const entry = (path: string, text: string, isPacked = false): ZipEntry => ({
  path,
  content: Readable.from([Buffer.from(text)]),
  isPacked,
});

describe('an archive', () => {
  it('contains its files', async () => {
    const long = 'x'.repeat(100_000);
    const archive = await buffer(zipped(of(entry('a.txt', long), entry('b/c.png', long, true), entry('empty', ''))));
    expect(archive.length).toBeGreaterThan(100_000);
    expect(archive.length).toBeLessThan(102_000);
    expect([...(await unzipped(archive))].map(([path, content]) => [path, content.length])).toEqual([
      ['a.txt', 100_000],
      ['b/c.png', 100_000],
      ['empty', 0],
    ]);
  });

  it('may be empty', async () => {
    expect(await unzipped(await buffer(zipped(of())))).toEqual(new Map());
  });

  it('requests each file after the one before was read', async () => {
    const seen: string[] = [];
    async function* files(): AsyncGenerator<ZipEntry> {
      for (const path of ['first', 'second']) {
        seen.push(path);
        yield await Promise.resolve({ path, content: Readable.from(lines(path)) });
      }
    }
    function* lines(path: string): Generator<string> {
      for (let at = 0; at < 3; at += 1) {
        seen.push(`${path} ${at}`);
        yield 'line\n';
      }
    }
    await buffer(zipped(files()));
    expect(seen).toEqual(['first', 'first 0', 'first 1', 'first 2', 'second', 'second 0', 'second 1', 'second 2']);
  });

  it.each([
    ['a file fails', () => of(entry('a', 'x'), { path: 'b', content: failing() })],
    ['the files fail', () => missing()],
  ])('fails when %s', async (_case, entries) => {
    await expect(buffer(zipped(entries()))).rejects.toThrow('away');
  });

  it('closes the file that it reads when its reader stops', async () => {
    const content = new Readable({ read: () => undefined });
    const archive = zipped(of({ path: 'a', content }));
    archive.resume();
    setImmediate(() => archive.destroy());
    await expect(finished(content)).rejects.toThrow();
    expect(content.destroyed).toBe(true);
  });
});

function failing(): Readable {
  return new Readable({
    read: (): void => {
      throw new Error('away');
    },
  });
}

async function* missing(): AsyncGenerator<ZipEntry> {
  yield await Promise.resolve(entry('a', 'x'));
  throw new Error('away');
}
