import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database, UnitOfWork, sql } from '../../platform/index.js';
import { ImportEntry } from './import-entry.entity.js';
import type { ImportAction, ListedAccount } from './import-list.js';

/** The action of an import on one account. */
export type ImportEntryRow = Readonly<Pick<ImportEntry, keyof typeof SHOWN>>;

const SHOWN = {
  id: true,
  action: true,
  address: true,
  reblogs: true,
  notify: true,
  notifications: true,
  languages: true,
  attempts: true,
} as const;

const isDue = Raw((nextAt) => `${nextAt} <= now()`);

const accountsWithDue = sql<{ accountId: string }>(
  'imports.accounts_with_due',
  `select distinct account_id as "accountId" from import_entries where next_at <= now() limit $1`,
);

const hasten = sql(
  'imports.hasten',
  `update import_entries set next_at = now() where next_at > now() + $1 * interval '1 second'`,
);

/** Entries of a list in one statement: their values hold up the process while they are written down. */
const ADDED_AT_ONCE = 1_000;

const add = sql(
  'imports.add',
  `insert into import_entries (account_id, action, address, reblogs, notify, notifications, languages)
   select $1, $2, address, reblogs, notify, notifications, string_to_array(languages, ' ')
   from (
     select distinct on (lower(address)) * from unnest($3::text[], $4::boolean[], $5::boolean[], $6::boolean[], $8::text[])
       with ordinality as listed(address, reblogs, notify, notifications, languages, place)
     order by lower(address), place desc) listed
   where (select count(*) from import_entries where account_id = $1) < $7
   order by place
   on conflict (account_id, action, lower(address)) do update
     set reblogs = excluded.reblogs, notify = excluded.notify, notifications = excluded.notifications,
       languages = excluded.languages,
       attempts = 0, next_at = now()`,
);

/** All SQL on `import_entries`. */
@Injectable()
export class ImportsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Adds the accounts of a list in order, within a unit of work; the last entry of an account wins. An entry that waits
   * already is replaced by the new list's. Returns false when `most` or more entries of other lists of the account wait:
   * the unit has to fail then.
   */
  async add(accountId: string, action: ImportAction, list: readonly ListedAccount[], most: number): Promise<boolean> {
    for (let at = 0; at < list.length; at += ADDED_AT_ONCE) {
      const some = list.slice(at, at + ADDED_AT_ONCE);
      const added = await this.db.run(add, [
        accountId,
        action,
        some.map(({ address }) => address),
        some.map(({ reblogs }) => reblogs ?? null),
        some.map(({ notify }) => notify ?? null),
        some.map(({ notifications }) => notifications ?? null),
        most + at,
        some.map(({ languages }) => languages?.join(' ') ?? null), // lists of different lengths are no array of PostgreSQL
      ]);
      if (added === 0) return false;
    }
    return true;
  }

  /** The account's next due entries. Index: import_entries_account. */
  due(accountId: string, limit: number): Promise<ImportEntryRow[]> {
    const where = { accountId, nextAt: isDue };
    return this.uow.manager.find(ImportEntry, { select: SHOWN, where, order: { id: 'ASC' }, take: limit });
  }

  /** Some accounts with due entries. Index: import_entries_due. */
  async accountsWithDue(limit: number): Promise<string[]> {
    const rows = await this.db.rows(accountsWithDue, [limit]);
    return rows.map((row) => row.accountId);
  }

  /** Removes an entry; returns its current content, undefined when another process took it. */
  async claim(id: string): Promise<ImportEntryRow | undefined> {
    const removal = this.uow.manager.createQueryBuilder().delete().from(ImportEntry).where({ id });
    return ((await removal.returning(Object.keys(SHOWN)).execute()).raw as ImportEntryRow[])[0];
  }

  /** Removes an entry after so many attempts, unless a new list has added it again. */
  async giveUp(id: string, attempts: number): Promise<void> {
    await this.uow.manager.delete(ImportEntry, { id, attempts });
  }

  /** Postpones an entry by so many seconds. */
  async postpone(id: string, seconds: number): Promise<void> {
    const later = { attempts: () => 'attempts + 1', nextAt: () => `now() + :seconds * interval '1 second'` };
    const update = this.uow.manager.createQueryBuilder().update(ImportEntry).set(later).where({ id });
    await update.setParameter('seconds', seconds).execute();
  }

  /** Makes entries due that wait for longer than so many seconds. Index: import_entries_due. */
  async hasten(seconds: number): Promise<void> {
    await this.db.run(hasten, [seconds]);
  }

  /** Removes all entries of an account. */
  async drop(accountId: string): Promise<void> {
    await this.uow.manager.delete(ImportEntry, { accountId });
  }
}
