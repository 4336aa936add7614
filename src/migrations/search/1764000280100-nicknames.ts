import { ForwardOnly } from '../forward-only.js';

/** The order of nicknames by bytes, by which a search for the beginning of one reads no more than it ranks. */
export class Nicknames1764000280100 extends ForwardOnly {
  readonly name = 'Nicknames1764000280100';
  protected readonly statements = `
    create index accounts_nicknames on accounts (lower(nickname) text_pattern_ops);
  `;
}
