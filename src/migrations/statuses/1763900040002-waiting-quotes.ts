import { ConcurrentIndex } from '../concurrent-index.js';

export class WaitingQuotes1763900040002 extends ConcurrentIndex {
  readonly name = 'WaitingQuotes1763900040002';
  protected readonly index = 'statuses_waiting_quotes';
  protected readonly definition = 'on statuses (quote_uri) where quote_of_id is null and quote_uri is not null';
}
