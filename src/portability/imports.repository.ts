import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database, UnitOfWork } from '../platform/index.js';
import { ImportEntry } from './import-entry.entity.js';
import type { ImportAction, ListedAccount } from './import-list.js';

/** What is to be done with one account. */
export type ImportEntryRow = Readonly<Pick<ImportEntry, keyof typeof SHOWN>>;

const SHOWN = {
  id: true,
  action: true,
  address: true,
  reblogs: true,
  notify: true,
  notifications: true,
  attempts: true,
} as const;

const isDue = Raw((nextAt) => `${nextAt} <= now()`);

/** All SQL on `import_entries`. */
@Injectable()
export class ImportsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Adds the accounts of a list in their order, each once, as its last entry says; one that waits already is taken once, as
   * the new list says. False, with nothing added, when `most` or more entries of the account wait.
   */
  async add(accountId: string, action: ImportAction, list: readonly ListedAccount[], most: number): Promise<boolean> {
    const added = await this.db.query(
      `insert into import_entries (account_id, action, address, reblogs, notify, notifications)
       select $1, $2, address, reblogs, notify, notifications
       from (
         select distinct on (lower(address)) * from unnest($3::text[], $4::boolean[], $5::boolean[], $6::boolean[])
           with ordinality as listed(address, reblogs, notify, notifications, place)
         order by lower(address), place desc) listed
       where (select count(*) from import_entries where account_id = $1) < $7
       order by place
       on conflict (account_id, action, lower(address)) do update
         set reblogs = excluded.reblogs, notify = excluded.notify, notifications = excluded.notifications,
           attempts = 0, next_at = now()
       returning id`,
      [
        accountId,
        action,
        list.map(({ address }) => address),
        list.map(({ reblogs }) => reblogs ?? null),
        list.map(({ notify }) => notify ?? null),
        list.map(({ notifications }) => notifications ?? null),
        most,
      ],
    );
    return added.length > 0;
  }

  /** The next entries of the account that are due. Index: import_entries_account. */
  due(accountId: string, limit: number): Promise<ImportEntryRow[]> {
    const where = { accountId, nextAt: isDue };
    return this.uow.manager.find(ImportEntry, { select: SHOWN, where, order: { id: 'ASC' }, take: limit });
  }

  /** Accounts that have due entries, some of them. Index: import_entries_due. */
  async accountsWithDue(limit: number): Promise<string[]> {
    const rows = await this.db.query<{ account_id: string }>(
      `select distinct account_id from import_entries where next_at <= now() limit $1`,
      [limit],
    );
    return rows.map((row) => row.account_id);
  }

  /** Takes an entry away; answers what it says by now, undefined when somebody else took it. */
  async take(id: string): Promise<ImportEntryRow | undefined> {
    const removal = this.uow.manager.createQueryBuilder().delete().from(ImportEntry).where({ id });
    return ((await removal.returning(Object.keys(SHOWN)).execute()).raw as ImportEntryRow[])[0];
  }

  /** Takes an entry away that was tried so often, unless a new list asks for it again. */
  async giveUp(id: string, attempts: number): Promise<void> {
    await this.uow.manager.delete(ImportEntry, { id, attempts });
  }

  /** Tries an entry again after so many seconds. */
  async postpone(id: string, seconds: number): Promise<void> {
    await this.db.query(
      `update import_entries set attempts = attempts + 1, next_at = now() + $2 * interval '1 second' where id = $1`,
      [id, seconds],
    );
  }

  /** Removes all that waits of an account. */
  async drop(accountId: string): Promise<void> {
    await this.uow.manager.delete(ImportEntry, { accountId });
  }
}
