import { ForwardOnly } from '../forward-only.js';

/** The last step of the admission of a user that was deactivated takes effect when it is activated. */
export class LateSteps1764000338700 extends ForwardOnly {
  readonly name = 'LateSteps1764000338700';
  protected readonly statements = `
    alter table users add column late_step text;`;
}
