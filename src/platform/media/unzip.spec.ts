import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ClaimedEntry, zipOf } from '../../../test/support/fixtures/zip.js';
import { BadArchive, filesOfZip } from './unzip.js';
import { zipped } from './zip.js';

const LIMITS = { maxEntries: 10, maxEntryBytes: 100_000, maxTotalBytes: 300_000 };
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + (at >> 3) * 31) % 251));

async function read(archive: Buffer): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const file of await filesOfZip(archive, LIMITS))
    found.push([file.path, (await file.content()).toString('latin1')]);
  return found;
}

describe('filesOfZip', () => {
  it('reads archives of other programs, compressed or not, with a comment at the end', async () => {
    async function* files() {
      yield await Promise.resolve({ path: 'a.txt', content: Readable.from([Buffer.from('aaaa'.repeat(500))]) });
      yield { path: 'é.txt', content: Readable.from([Buffer.from('b')]), isPacked: true };
    }
    const archive = await buffer(zipped(files()));
    const expected = [
      ['a.txt', 'aaaa'.repeat(500)],
      ['é.txt', 'b'],
    ];
    expect(await read(archive)).toEqual(expected);
    const comment = Buffer.concat([archive, Buffer.from('PK\x05\x06 hello')]);
    comment.writeUInt16LE(10, archive.length - 2);
    expect(await read(comment)).toEqual(expected);
  });

  it('reads stored and empty files, and an empty archive', async () => {
    const entries = [
      { name: 'a', method: 0 },
      { name: 'b', content: Buffer.alloc(0) },
    ];
    expect(await read(zipOf(entries))).toEqual([
      ['a', 'x'],
      ['b', ''],
    ]);
    expect(await read(zipOf([]))).toEqual([]);
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['something else', noise(5_000)],
    ['a cut archive', zipOf([{ name: 'a' }]).subarray(0, 40)],
    ['data after the end', Buffer.concat([zipOf([{ name: 'a' }]), Buffer.from('x')])],
    ['more files than it holds', zipOf([{ name: 'a' }], { count: 5 })],
    ['eleven files', zipOf(Array.from({ length: 11 }, (_, n) => ({ name: `${n}` })))],
    ['E2 a link', zipOf([{ name: 'a', mode: 0o120777 }])],
    ['E2 a folder', zipOf([{ name: 'a/', mode: 0o040755 }])],
    ['E2 a name twice', zipOf([{ name: 'a' }, { name: 'a' }])],
    ['E2 two names for one file', zipOf([{ name: 'a', innerName: 'b' }])],
    ['a name that is no text', zipOf([{ name: Buffer.from([0xff, 0xfe]) }])],
    ['an encrypted file', zipOf([{ name: 'a', flags: 1 }])],
    ['an unknown method', zipOf([{ name: 'a', method: 14 }])],
    ['E3 a large file', zipOf([{ name: 'a', content: noise(100_001) }])],
    ['E3 many files', zipOf(Array.from({ length: 4 }, (_, n) => ({ name: `${n}`, content: noise(90_000) })))],
    ['E3 a bomb', zipOf([{ name: 'a', content: Buffer.alloc(90_000) }])],
    ['E3 a file that claims to be small', zipOf([{ name: 'a', content: Buffer.alloc(99_000), size: 10 }])],
    ['a file that claims to be large', zipOf([{ name: 'a', content: noise(500), size: 900 }])],
    ['a wrong checksum', zipOf([{ name: 'a', crc: 1 }])],
    ['E3 files over each other', zipOf([{ name: 'a' }, { name: 'a2', innerName: 'a', at: 0 }])],
    ['E3 a long name', zipOf([{ name: 'a/'.repeat(2_100) }])],
    ['E3 thousands of extra fields', zipOf([{ name: 'a', extra: Buffer.alloc(60_000) }])],
    ['a file behind the end', zipOf([{ name: 'a', at: 4_000_000_000 }])],
  ])('refuses %s', async (_, archive) => {
    await expect(read(archive)).rejects.toThrow(BadArchive);
  });

  it('fails with BadArchive or reads the files after a change of any byte', async () => {
    const entries: ClaimedEntry[] = [{ name: 'a.png', content: noise(40) }, { name: 'b.png' }];
    const archive = zipOf(entries);
    for (let at = 0; at < archive.length; at += 1) {
      for (const value of [0, 0xff, (archive[at] ?? 0) ^ 1]) {
        const changed = Buffer.from(archive);
        changed[at] = value;
        const outcome = await read(changed).catch((error: unknown) => error);
        if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(BadArchive);
      }
    }
  });
});
