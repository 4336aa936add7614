import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hasCode } from './errors.js';
import { readProblem } from './file-problem.js';

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The content of the secret file `path` (mode 0600), which is created when missing. The file appears complete or not at
 * all. When several processes create it at once, all get the content of the first.
 */
export function createOnce(path: string, content: string, owner?: FileOwner): string {
  const present = readIfPresent(path);
  if (present !== undefined) return present;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeDurably(draft, content);
    if (owner) chownSync(draft, owner.uid, owner.gid);
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw readProblem(path, error) ?? error;
  }
}

function writeDurably(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
