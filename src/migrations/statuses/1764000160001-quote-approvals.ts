import { ForwardOnly } from '../forward-only.js';

/** Finds the quote to which a consent was given that is taken back, or asked for. */
export class QuoteApprovals1764000160001 extends ForwardOnly {
  readonly name = 'QuoteApprovals1764000160001';
  protected readonly statements = `
    create index statuses_quote_approval on statuses using hash (quote_approval) where quote_approval is not null;
  `;
}
