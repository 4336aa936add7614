import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { RestoredFiles } from './file/restored-files.js';
import { TRAILER } from './file/trailer.js';
import { BackupDamaged } from './model/backup-error.js';
import { FilePlace } from './place/file-place.js';
import { type BackupVisitor, verifyBackup } from './verify-backup.js';

type Written = readonly [name: string, text: string, header?: Partial<Header>];

const KEY = 'ab'.repeat(32);
const MANIFEST = {
  format: 1,
  version: '0.1.0',
  createdAt: '2030-01-01T00:00:00.000Z',
  baseUrl: 'https://svc.test',
  migrations: [],
  tables: [],
  sequences: [],
};
const withKey = { secretKey: createHash('sha256').update(Buffer.from(KEY, 'hex')).digest('hex') };
const TABLE = { name: 'a', columns: ['b'] };
const EMPTY = { tables: { a: { rows: 0, sha256: createHash('sha256').digest('hex') } } };
const SEQUENCE = { table: 'a', column: 'b', lastValue: '1', isCalled: true };
const manifest = (claims: object = {}): Written => ['manifest.json', JSON.stringify({ ...MANIFEST, ...claims })];
const totals = (count: number, claims: object = {}): Written => [
  'totals.json',
  JSON.stringify({ tables: {}, files: { count, bytes: count }, skipped: [], ...claims }),
];

/** The tar of a backup, with right sums. */
async function tarOf(...files: readonly Written[]): Promise<Buffer> {
  return tarWith(files, files);
}

/** The tar of a backup with the sums of these files. */
async function tarWith(files: readonly Written[], listed: readonly Written[]): Promise<Buffer> {
  const tar = pack();
  const sums = listed.map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`);
  for (const [name, text, header] of [...files, ['sums/000001.sha256', sums.join('')] as const])
    tar.entry({ name, ...header }, text);
  tar.finalize();
  return buffer(tar);
}

describe('a backup', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-verify-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const verified = (tar: Buffer, visitor: BackupVisitor = {}) => {
    const path = join(folder, 'backup');
    writeFileSync(path, Buffer.concat([zstdCompressSync(tar), TRAILER]));
    return verifyBackup(new FilePlace(path), undefined, undefined, visitor);
  };
  const restored = (tar: Buffer) => {
    const files = new RestoredFiles({ dataDir: join(folder, 'data'), mediaFileMode: undefined } as never, null);
    const file = files.write.bind(files);
    return verified(tar, { file });
  };
  const a: Written = ['files/static/a', 'x'];
  const b: Written = ['files/static/b', 'x'];

  it('is read', async () => {
    expect((await restored(await tarOf(manifest(), a, totals(1)))).totals.files).toEqual({ count: 1, bytes: 1 });
  });

  it('is read with its secret key and a table without rows', async () => {
    const key: Written = ['files/secret.key', `${KEY}\n`];
    await restored(await tarOf(manifest({ ...withKey, tables: [TABLE] }), key, a, totals(1, EMPTY)));
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['a negative size', () => tarOf(manifest(), ['files/static/a', 'x', { pax: { size: '-5' } }], totals(1))],
    ['a cut file', async () => (await tarOf(manifest(), ['files/static/a', 'x'.repeat(5_000)])).subarray(0, 4_000)],
    ['a path outside', () => tarOf(manifest(), ['files/static/../../a', 'x'], totals(1))],
    ['a link', () => tarOf(manifest(), ['files/static/a', '', { type: 'symlink', linkname: '/etc' }], totals(1))],
    ['a file twice', () => tarOf(manifest(), a, a, totals(2))],
    ['a file that is a folder', () => tarOf(manifest(), a, ['files/static/a/b', 'x'], totals(2))],
    ['a name that no disk has', () => tarOf(manifest(), [`files/static/${'a'.repeat(300)}`, 'x'], totals(1))],
    ['tables that are none', () => tarOf(manifest({ tables: [null] }), totals(0))],
    ['migrations that are none', () => tarOf(manifest({ migrations: [{}] }), totals(0))],
    ['totals that are none', () => tarOf(manifest({ tables: [TABLE] }), totals(0, { tables: null }))],
    ['totals that are not numbers', () => tarOf(manifest(), totals(0, { tables: { a: { sha256: '' } } }))],
    ['a table twice', () => tarOf(manifest({ tables: [TABLE, TABLE] }), totals(0, EMPTY))],
    ['a table without columns', () => tarOf(manifest({ tables: [{ name: 'a', columns: [] }] }), totals(0, EMPTY))],
    ['a sequence that is none', () => tarOf(manifest({ sequences: [{ ...SEQUENCE, isCalled: 'no' }] }), totals(0))],
    ['a version that is none', () => tarOf(manifest({ format: 2, version: { toString: 1 } }), totals(0))],
    ['a form without an end', () => tarOf(manifest({ format: 1e21 }), totals(0))],
    [
      'a column that no table can have',
      () => tarOf(manifest({ tables: [{ name: 'a', columns: ['b\0'] }] }), totals(0, EMPTY)),
    ],
    ['a number of rows without an end', () => tarOf(manifest(), totals(0, { files: { count: 1e300, bytes: 0 } }))],
    ['no address', () => tarOf(manifest({ baseUrl: undefined }), totals(0))],
    ['no secret key', () => tarOf(manifest(withKey), totals(0))],
    ['another secret key', () => tarOf(manifest(withKey), ['files/secret.key', 'cd'.repeat(32)], totals(0))],
  ])('is damaged with %s', async (_, tar) => {
    await expect(restored(await tar())).rejects.toThrow(BackupDamaged);
  });

  it.each([
    ['a file twice', [a, a], 'files/static/a is there twice'],
    [
      'the secret key twice',
      [
        ['files/secret.key', KEY],
        ['files/secret.key', KEY],
      ],
      'files/secret.key is there twice',
    ],
  ] as [string, Written[], string][])('verify finds %s', async (_, files, problem) => {
    const count = files.filter(([name]) => name !== 'files/secret.key').length;
    const claims = count < files.length ? withKey : {};
    await expect(verified(await tarOf(manifest(claims), ...files, totals(count)))).rejects.toThrow(problem);
  });

  it.each<[string, Written[], Written[], string]>([
    ['that is not listed', [b, a], [a], 'files/static/b is in no list of sums'],
    ['that is listed and not there', [a], [b, a], 'sums/000001.sha256 lists other files'],
    ['that was changed', [['files/static/a', 'y']], [a], 'the sum of files/static/a is wrong'],
  ])('verify names a file %s', async (_, files, listed, problem) => {
    const around = (some: readonly Written[]) => [manifest(), ...some, totals(files.length)];
    await expect(verified(await tarWith(around(files), around(listed)))).rejects.toThrow(problem);
  });
});
