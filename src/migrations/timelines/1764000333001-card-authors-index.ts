import { ForwardOnly } from '../forward-only.js';

/** Finds the cards that name an account. */
export class CardAuthorsIndex1764000333001 extends ForwardOnly {
  readonly name = 'CardAuthorsIndex1764000333001';
  protected readonly statements = `
    create index cards_author on cards (author_id, id) where author_id is not null;`;
}
