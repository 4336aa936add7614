import { ForwardOnly } from '../forward-only.js';

/**
 * The account that the page of a card names as its author, the host of that page, and what the card shows of the account.
 */
export class CardAuthors1764000333000 extends ForwardOnly {
  readonly name = 'CardAuthors1764000333000';
  protected readonly statements = `
    alter table cards add column author_id text collate "C", add column author_host text, add column author jsonb;`;
}
