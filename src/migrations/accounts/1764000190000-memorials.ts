import { ForwardOnly } from '../forward-only.js';

/** Keeps which remote accounts are memorials: their owners died. */
export class Memorials1764000190000 extends ForwardOnly {
  readonly name = 'Memorials1764000190000';
  protected readonly statements = `alter table accounts add column memorial boolean not null default false;`;
}
