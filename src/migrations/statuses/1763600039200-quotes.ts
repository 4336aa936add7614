import { ForwardOnly } from '../forward-only.js';

/** The address of what a post quotes, as the post gives it: what is quoted may be unknown here, and be deleted. */
export class Quotes1763600039200 extends ForwardOnly {
  readonly name = 'Quotes1763600039200';
  protected readonly statements = `
    alter table statuses add column quote_uri text;
  `;
}
