import { ForwardOnly } from '../forward-only.js';

/** For the birthdays of followed people: whoever shows it is found by the day. */
export class AccountsBirthdays1763600030000 extends ForwardOnly {
  readonly name = 'AccountsBirthdays1763600030000';
  protected readonly statements = `
    create index accounts_birthdays on accounts ((extract(month from birthday)), (extract(day from birthday)))
      where show_birthday and birthday is not null;
  `;
}
