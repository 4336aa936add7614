import { ForwardOnly } from '../forward-only.js';

/**
 * A step of the admission of a user that is deactivated takes effect when it is activated. Whether those that were made before
 * were approvals is not known, so no letter about them is sent; waiting users are announced once more.
 */
export class LateSteps1764000338700 extends ForwardOnly {
  readonly name = 'LateSteps1764000338700';
  protected readonly statements = `
    alter table users add column late_step text;
    update users u set late_step = 'confirmed' from accounts a
    where a.id = u.account_id and (u.arrives_later or a.deactivated_at is not null and u.is_confirmed and not u.is_approved);
    alter table users drop column arrives_later;
    delete from jobs where name = 'admin.announce-activated';
  `;
}
