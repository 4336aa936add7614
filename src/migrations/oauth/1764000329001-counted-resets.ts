import { ForwardOnly } from '../forward-only.js';

/** Which links for new passwords are of letters that count among those of an hour: those of the staff are not. */
export class CountedResets1764000329001 extends ForwardOnly {
  readonly name = 'CountedResets1764000329001';
  protected readonly statements = `
    alter table password_resets add column is_counted boolean not null default true;
  `;
}
