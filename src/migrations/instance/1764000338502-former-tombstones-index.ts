import { ForwardOnly } from '../forward-only.js';

/** Replaced by `tombstones_outdated`. */
export class FormerTombstonesIndex1764000338502 extends ForwardOnly {
  readonly name = 'FormerTombstonesIndex1764000338502';
  protected readonly statements = `
    drop index tombstones_deleted;`;
}
