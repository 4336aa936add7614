import { ForwardOnly } from '../forward-only.js';

/** Half a day: the longest time that a group of notifications spans. */
const SPAN_SECONDS = 43_200;

/**
 * The key of the notifications that are shown as one: those of one type about one post, or of new followers, within half
 * a day. It follows from columns that never change, so that a group keeps its key; it is null for those shown alone.
 */
export class NotificationGroups1764000200000 extends ForwardOnly {
  readonly name = 'NotificationGroups1764000200000';
  protected readonly statements = `
    alter table notifications add column group_key text collate "C" generated always as (
      case when type in ('favourite', 'reblog', 'follow') then (type || '-' || coalesce(status_id || '-', '')
        || floor(extract(epoch from created_at - timestamptz '1970-01-01 00:00:00+00') / ${SPAN_SECONDS})::bigint) collate "C" end) stored;
  `;
}
