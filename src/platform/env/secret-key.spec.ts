import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOnce } from './create-once.js';
import { loadSecretKey } from './secret-key.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('loadSecretKey', () => {
  it('creates a private key once and reads it later', () => {
    const dataDir = join(folder, 'data');
    const key = loadSecretKey({ secretKey: undefined, dataDir });
    expect(key).toHaveLength(32);
    expect(loadSecretKey({ secretKey: undefined, dataDir })).toEqual(key);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });

  it('prefers the key of the environment and writes no file', () => {
    const secretKey = Buffer.alloc(32, 1);
    expect(loadSecretKey({ secretKey, dataDir: folder })).toBe(secretKey);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a file without a key', () => {
    writeFileSync(join(folder, 'secret.key'), 'short');
    expect(() => loadSecretKey({ secretKey: undefined, dataDir: folder })).toThrow(/secret\.key holds no key/);
  });
});

describe('createOnce', () => {
  it('creates a private file with any umask', () => {
    const before = process.umask(0);
    try {
      createOnce(join(folder, 'secret'), 'x');
    } finally {
      process.umask(before);
    }
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  });

  it('keeps the first content', () => {
    expect(createOnce(join(folder, 'secret'), 'one')).toBe('one');
    expect(createOnce(join(folder, 'secret'), 'two')).toBe('one');
  });

  it('leaves no draft behind when it fails', () => {
    mkdirSync(join(folder, 'closed'));
    const path = join(folder, 'closed', 'secret');
    execFileSync('ln', ['-s', 'nowhere', path]);
    expect(() => createOnce(path, 'x')).toThrow('ENOENT');
    expect(readdirSync(join(folder, 'closed'))).toEqual(['secret']);
  });
});
