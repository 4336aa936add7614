import { hash } from 'node:crypto';
import { BackupDamaged } from '../model/backup-error.js';

/** Finds paths that come twice. Takes about 60 bytes of memory for each: a server may have millions of files. */
export class DistinctPaths {
  /** By the first byte of the digest: one set holds 16 million entries at most. */
  private readonly known = Array.from({ length: 256 }, () => new Set<string>());

  /** @throws BackupDamaged for a path that came before */
  add(path: string): void {
    const digest = hash('sha256', path, 'buffer');
    const known = this.known[digest.readUInt8()];
    const rest = digest.toString('latin1', 1, 16);
    if (known?.has(rest)) throw new BackupDamaged(`${path} is there twice`);
    known?.add(rest);
  }
}
