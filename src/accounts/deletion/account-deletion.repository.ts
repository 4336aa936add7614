import { Injectable } from '@nestjs/common';
import { Database, purge, sql } from '../../platform/index.js';

const lockAdmins = sql<{ account_id: string }>(
  'users.lock_admins',
  `select u.account_id from users u join accounts a on a.id = u.account_id
   where u.is_admin and u.is_confirmed and u.is_approved and a.deactivated_at is null
   order by u.account_id for update of u`,
);

// Without its user row the account cannot sign in, and none of its tokens is valid.
const markDeleted = sql(
  'accounts.mark_deleted',
  `with deleted as (
     update accounts set deactivated_at = coalesce(deactivated_at, now()), deleted_at = now(), version = version + 1,
       display_name = '', note_html = '', note_source = '', fields = '[]', emojis = '[]',
       avatar_url = null, avatar_description = '', header_url = null, header_description = '', background_url = null,
       discoverable = false, tags = '{}', also_known_as = '{}', moved_to_id = null, birthday = null, show_birthday = false
     where id = $1 and (domain is null) = $2 and deleted_at is null returning id),
   login as (delete from users using deleted where users.account_id = deleted.id)
   select from deleted`,
);

/** SQL on deleted accounts. */
@Injectable()
export class AccountDeletionRepository {
  constructor(private readonly db: Database) {}

  /** The active administrators, locked: none is deleted or loses the role until the unit ends. Index: users_staff. */
  async lockAdmins(): Promise<string[]> {
    return (await this.db.rows(lockAdmins, [])).map((row) => row.account_id);
  }

  /**
   * Marks a local or a remote account as deleted and removes its log-in and profile; names and addresses stay,
   * and the key pair for a while.
   * False when the account was deleted before.
   */
  async markDeleted(accountId: string, local: boolean): Promise<boolean> {
    return (await this.db.run(markDeleted, [accountId, local])) === 1;
  }

  /** Removes the key pairs of accounts that were deleted some days ago. Index: keys_pkey, accounts_pkey. */
  async removeKeys(days: number): Promise<void> {
    const deleted = `select from accounts a where a.id = keys.account_id and a.deleted_at < now() - $1 * interval '1 day'`;
    await purge(this.db, { table: 'keys', where: `exists (${deleted})`, by: 'account_id' }, [days]);
  }
}
