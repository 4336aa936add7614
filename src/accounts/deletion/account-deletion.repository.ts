import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { knownAccountsOf } from '../model/known-servers.sql.js';

// Without its user row the account cannot sign in, and none of its tokens is valid.
const markDeleted = sql(
  'accounts.mark_deleted',
  `with deleted as (
     update accounts set deactivated_at = coalesce(deactivated_at, now()), deleted_at = now(), version = version + 1,
       suspended_by_server = $3::boolean and (deactivated_at is null or suspended_by_server),
       display_name = '', note_html = '', note_source = '', fields = '[]', emojis = '[]',
       avatar_url = null, avatar_description = '', header_url = null, header_description = '', background_url = null,
       discoverable = false, indexable = null, attribution_domains = '{}',
       tags = case when $3 then tags else '{}' end, also_known_as = '{}', moved_to_id = null, birthday = null, show_birthday = false
     where id = $1 and (domain is null) = $2 and deleted_at is null returning id),
   login as (delete from users using deleted where users.account_id = deleted.id)
   select from deleted`,
);

const idsOf = sql<{ id: string }>('accounts.ids_of_server', knownAccountsOf('$1', '$2'));

/** The account that owns what is being removed and may be seen by nobody: one of this server that was always deleted. */
export const GHOST_ID = '000000000000000000';
/** No nickname that anybody can have. */
const GHOST_NAME = '.ghost';

const insertGhost = sql(
  'accounts.insert_ghost',
  `with made as (
     insert into accounts (id, nickname, ap_id, deactivated_at, deleted_at) values ($1, $2, 'urn:ghost', now(), now())
     on conflict do nothing returning id)
   insert into account_stats (account_id) select id from made`,
);

/** SQL on deleted accounts. */
@Injectable()
export class AccountDeletionRepository {
  constructor(private readonly db: Database) {}

  /**
   * Marks a local or a remote account as deleted and removes its log-in and profile; names and addresses stay,
   * and the key pair for a while. With `byServer` its server may end that, unless the staff deactivated the account: its
   * tags stay for then.
   * False when the account was deleted before.
   */
  async markDeleted(accountId: string, local: boolean, byServer: boolean): Promise<boolean> {
    return (await this.db.run(markDeleted, [accountId, local, byServer])) === 1;
  }

  /** Stores the account with the id {@link GHOST_ID} unless it is stored. */
  async ensureGhost(): Promise<void> {
    await this.db.run(insertGhost, [GHOST_ID, GHOST_NAME]);
  }

  /** Some accounts of another server that are not deleted. Index: accounts_hosts_known, accounts_hosts_apart_known. */
  async idsOf(server: string, limit: number): Promise<string[]> {
    const rows = await this.db.rows(idsOf, [server, limit]);
    return rows.map(({ id }) => id);
  }
}
