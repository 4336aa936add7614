import { ForwardOnly } from '../forward-only.js';

/** Finds the tombstones that end without those that stay. */
export class OutdatedTombstones1764000338501 extends ForwardOnly {
  readonly name = 'OutdatedTombstones1764000338501';
  protected readonly statements = `
    create index tombstones_outdated on tombstones (deleted_at) where not by_staff;`;
}
