import { ForwardOnly } from '../forward-only.js';

/** For finding an account by the address of its page, which is what people paste. */
export class AccountsAddresses1763600032000 extends ForwardOnly {
  readonly name = 'AccountsAddresses1763600032000';
  protected readonly statements = `
    create index accounts_url on accounts (url) where url is not null;
  `;
}
