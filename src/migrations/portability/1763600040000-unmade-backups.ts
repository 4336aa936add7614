import { ForwardOnly } from '../forward-only.js';

/** For the nightly sweep to find the archives that could not be made without reading of all the others. */
export class UnmadeBackups1763600040000 extends ForwardOnly {
  readonly name = 'UnmadeBackups1763600040000';
  protected readonly statements = `
    create index backups_unmade on backups (inserted_at) where not processed;
  `;
}
