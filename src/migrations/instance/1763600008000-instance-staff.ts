import { ForwardOnly } from '../forward-only.js';

export class InstanceStaff1763600008000 extends ForwardOnly {
  readonly name = 'InstanceStaff1763600008000';
  protected readonly statements = `
    create index users_staff on users (account_id) where is_admin or is_moderator;
  `;
}
