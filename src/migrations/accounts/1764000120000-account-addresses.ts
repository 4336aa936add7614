import { ForwardOnly } from '../forward-only.js';

const NAMES = ['nickname', 'domain', 'ap_id', 'url'];
const namesOf = (row: string) => NAMES.map((name) => `${row}.${name}`).join(', ');

/** Reports `?` also when an account gets another page address (`url`), since accounts are looked up by it too. */
export class AccountAddresses1764000120000 extends ForwardOnly {
  readonly name = 'AccountAddresses1764000120000';
  protected readonly statements = `
    drop trigger accounts_renamed on accounts;
    create trigger accounts_renamed after update on accounts for each row
      when ((${namesOf('old')}) is distinct from (${namesOf('new')})) execute function account_names_reports();`;
}
