import { ForwardOnly } from '../forward-only.js';

/**
 * People hear where somebody moved to, and of edits, the newest of which takes the place of the one before: the version of
 * the post tells which of them a notification speaks of.
 */
export class NotificationsMoves1763600042000 extends ForwardOnly {
  readonly name = 'NotificationsMoves1763600042000';
  protected readonly statements = `
    alter table notifications add column target_id text collate "C" references accounts (id) on delete cascade;
    alter table notifications add column status_version int;
    create unique index notifications_of_move on notifications (target_id, from_id, receiver_id) where target_id is not null;
  `;
}
