import { ForwardOnly } from '../forward-only.js';

/** Who may quote a user's posts where the user does not say so for one of them. */
export class DefaultQuotePolicy1764000195000 extends ForwardOnly {
  readonly name = 'DefaultQuotePolicy1764000195000';
  protected readonly statements = `alter table users add column default_quote_policy text not null default 'public';`;
}
