import { ForwardOnly } from '../forward-only.js';

/** The notifications of a group. */
export class NotificationGroupsIndex1764000200001 extends ForwardOnly {
  readonly name = 'NotificationGroupsIndex1764000200001';
  protected readonly statements = `
    create index notifications_group on notifications (receiver_id, group_key, id desc) where group_key is not null;
  `;
}
