import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Change, plant, sourcesOf } from '../../test/support/faults.ts';

const FILE = 'bench/torture/faults.json';
/** What a build needs. */
const COPIED = ['src', 'scripts', 'assets', 'docs', 'package.json', 'tsconfig.json', 'rolldown.config.mjs'];

/** A known fault of the server, and the kind of torture that must notice it. */
interface TortureFault {
  readonly name: string;
  readonly kind: string;
  readonly changes: readonly Change[];
}

/** The planted faults, of one kind or of all. */
export function faultsOf(root: string, kind?: string): TortureFault[] {
  const faults = JSON.parse(readFileSync(join(root, FILE), 'utf8')) as TortureFault[];
  return kind === undefined ? faults : faults.filter((fault) => fault.kind === kind);
}

/**
 * Builds the server with a fault in a copy of the sources, and works with the copy.
 * @throws Error when the fault does not fit the sources, or the copy cannot be built
 */
export async function withFault<T>(root: string, fault: TortureFault, work: (root: string) => Promise<T>): Promise<T> {
  const { files, misfits } = plant(root, sourcesOf(root), { ...fault, specs: [], tests: '' });
  if (misfits.length > 0) throw new Error(`${fault.name}: ${misfits.join('; ')}`);
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'svc-torture-')));
  try {
    for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const [path, text] of files) writeFileSync(join(copy, path), text);
    const { status, stderr } = spawnSync('node_modules/.bin/rolldown', ['-c'], { cwd: copy, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${fault.name}: the build failed: ${stderr}`);
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
