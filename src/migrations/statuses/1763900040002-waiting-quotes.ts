import { ForwardOnly } from '../forward-only.js';

export class WaitingQuotes1763900040002 extends ForwardOnly {
  readonly name = 'WaitingQuotes1763900040002';
  protected readonly statements = `
    create index statuses_waiting_quotes on statuses (quote_uri) where quote_of_id is null and quote_uri is not null;
  `;
}
