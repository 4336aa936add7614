import { ForwardOnly } from '../forward-only.js';

/** Who may quote a post, and the consent of the quoted author to a quote (FEP-044f). */
export class QuoteConsent1764000160000 extends ForwardOnly {
  readonly name = 'QuoteConsent1764000160000';
  protected readonly statements = `
    alter table statuses add column quote_policy smallint, add column quote_approval text,
      add column quote_refused boolean not null default false;
  `;
}
