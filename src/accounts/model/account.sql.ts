import { MAX_LISTED } from '../../common/index.js';
import { columns, countUpTo } from '../../platform/index.js';
import { Account, AccountStats } from './account.entities.js';
import { ACCOUNT_BODY, ACCOUNT_COUNTS, ACCOUNT_STATE } from './account.rows.js';

/** Columns, joins and conditions of statements that read accounts; the rows are in `account.rows.ts`. */

/** Columns of `AccountCounts`, for statements with `accounts a` and `account_stats s`. */
export const COUNT_COLUMNS = `${columns(Account, 'a', ACCOUNT_STATE)}, ${columns(AccountStats, 's', ACCOUNT_COUNTS)}`;

/** Columns of `AccountRow`, for statements from {@link ACCOUNT_TABLES}. */
export const ACCOUNT_COLUMNS = `${COUNT_COLUMNS}, ${columns(Account, 'a', ACCOUNT_BODY)},
  coalesce(u.is_admin, false) as "isAdmin", coalesce(u.is_moderator, false) as "isModerator",
  coalesce(u.is_confirmed, true) as "isConfirmed", coalesce(u.is_approved, true) as "isApproved",
  coalesce(u.default_sensitive, false) as "defaultSensitive", h.favicon_url as "faviconUrl"`;

/** The tables joined to an account `a`. */
export const ACCOUNT_JOINS = `join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
  left join remote_instances h on h.domain = a.domain`;

export const ACCOUNT_TABLES = `accounts a ${ACCOUNT_JOINS}`;

/** `isActive` as an SQL condition over {@link ACCOUNT_TABLES}. */
export const IS_ACTIVE = `a.deactivated_at is null and coalesce(u.is_confirmed and u.is_approved, true)`;

/** Whether a user `u` waits for the approval of the staff. Index: users_unapproved. */
export const NEEDS_APPROVAL = 'not u.is_approved';

/** The number of sign-ups that wait for the staff, up to {@link MAX_LISTED}. Indexes: users_unapproved, accounts_known. */
export const WAITING_SIGN_UPS = countUpTo(
  MAX_LISTED,
  `users u cross join lateral (select from accounts where id = u.account_id and deleted_at is null limit 1) known
   where ${NEEDS_APPROVAL}`,
);
