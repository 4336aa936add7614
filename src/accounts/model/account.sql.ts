/** Columns, joins and conditions of statements that read accounts; the rows are in `account.rows.ts`. */

/** Columns of `AccountCounts`, for statements with `accounts a` and `account_stats s`. */
export const COUNT_COLUMNS = `a.id, a.version, s.statuses_count, s.followers_count, s.following_count, s.last_status_at,
  a.hide_followers_count, a.hide_follows_count, a.moved_to_id`;

/** Columns of `AccountRow`, for statements from {@link ACCOUNT_TABLES}. */
export const ACCOUNT_COLUMNS = `${COUNT_COLUMNS}, a.nickname, a.domain, a.ap_id, a.url, a.inbox_url, a.shared_inbox_url,
  a.outbox_url, a.followers_url, a.following_url, a.featured_url, a.actor_type, a.display_name, a.note_html, a.note_source,
  a.fields, a.emojis, a.avatar_url, a.avatar_description, a.header_url, a.header_description, a.background_url, a.locked, a.memorial,
  a.discoverable, a.indexable, a.attribution_domains, a.hide_followers, a.hide_follows, a.hide_favorites, a.show_role, a.skip_thread_containment,
  a.accepts_chat_messages, a.tags, a.also_known_as, a.birthday, a.show_birthday, a.deactivated_at, a.deleted_at,
  a.created_at, a.refreshed_at, coalesce(u.is_admin, false) as is_admin, coalesce(u.is_moderator, false) as is_moderator,
  coalesce(u.is_confirmed, true) as is_confirmed, coalesce(u.is_approved, true) as is_approved,
  coalesce(u.default_sensitive, false) as default_sensitive, h.favicon_url`;

/** The tables joined to an account `a`. */
export const ACCOUNT_JOINS = `join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
  left join remote_instances h on h.domain = a.domain`;

export const ACCOUNT_TABLES = `accounts a ${ACCOUNT_JOINS}`;

/** `isActive` as an SQL condition over {@link ACCOUNT_TABLES}. */
export const IS_ACTIVE = `a.deactivated_at is null and coalesce(u.is_confirmed and u.is_approved, true)`;
