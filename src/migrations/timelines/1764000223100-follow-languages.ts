import { ForwardOnly } from '../forward-only.js';

/** A follow may want posts in some languages only; so may one of an imported list. */
export class FollowLanguages1764000223100 extends ForwardOnly {
  readonly name = 'FollowLanguages1764000223100';
  protected readonly statements = `
    alter table follows add column languages text[];
    alter table import_entries add column languages text[];`;
}
