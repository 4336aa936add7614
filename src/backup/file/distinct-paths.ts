import { hash } from 'node:crypto';
import { BackupDamaged } from '../model/backup-error.js';

/** Finds paths that cannot lie beside each other. Stores 16 bytes of each: a server may have millions of files. */
export class DistinctPaths {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** @throws BackupDamaged for a path that came before, or that is a file here and a folder elsewhere */
  add(path: string): void {
    const file = digestOf(path);
    if (this.files.has(file)) throw new BackupDamaged(`${path} is there twice`);
    if (this.folders.has(file)) throw new BackupDamaged(`${path} is a file and a folder`);
    this.files.add(file);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = digestOf(path.slice(0, end));
      if (this.files.has(folder)) throw new BackupDamaged(`${path.slice(0, end)} is a file and a folder`);
      if (this.folders.has(folder)) return;
      this.folders.add(folder);
    }
  }
}

function digestOf(path: string): string {
  return hash('sha256', path, 'buffer').toString('latin1', 0, 16);
}
