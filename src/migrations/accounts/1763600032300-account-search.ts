import { ForwardOnly } from '../forward-only.js';

/** For finding accounts by the beginnings of the words in their names. */
export class AccountSearch1763600032300 extends ForwardOnly {
  readonly name = 'AccountSearch1763600032300';
  protected readonly statements = `
    create index accounts_names on accounts using gin (lower(nickname) gin_trgm_ops, lower(display_name) gin_trgm_ops);
  `;
}
