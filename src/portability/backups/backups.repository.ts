import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, LessThan } from 'typeorm';
import { columns, Database, type RowOf, sql, UnitOfWork } from '../../platform/index.js';
import { Backup } from './backup.entity.js';

const SHOWN = ['id', 'fileKey', 'fileSize', 'processed', 'insertedAt', 'byStaff'] as const;

/** A backup. `fileSize` is in bytes, as digits. */
export type BackupRow = RowOf<Backup, (typeof SHOWN)[number]>;

/** A backup and its owner. */
export interface OwnedBackupRow extends BackupRow {
  readonly accountId: string;
  readonly nickname: string;
  readonly isDeactivated: boolean;
}

const COLUMNS = columns(Backup, 'b', SHOWN);

const add = sql<BackupRow>(
  'backups.add',
  `insert into backups as b (account_id, file_key, by_staff)
   select $1, $2, $4::boolean where not exists (
     select from backups where account_id = $1 and by_staff = $4 and inserted_at > now() - $3 * interval '1 day')
   returning ${COLUMNS}`,
);

const ofAccount = sql<BackupRow>(
  'backups.of_account',
  `select ${COLUMNS} from backups b where b.account_id = $1 order by b.id desc`,
);

const byId = sql<OwnedBackupRow>(
  'backups.by_id',
  `select ${COLUMNS}, a.id as "accountId", a.nickname, a.deactivated_at is not null as "isDeactivated"
   from backups b join accounts a on a.id = b.account_id where b.id = $1 and a.deleted_at is null`,
);

const removeStale = sql<Pick<BackupRow, 'fileKey'>>(
  'backups.remove_stale',
  `delete from backups where id = any(array(
     select id from backups
     where inserted_at < now() - $1 * interval '1 day' or account_id is null
       or inserted_at < now() - interval '1 day' and not processed
     limit $2 for update skip locked))
   returning file_key as "fileKey"`,
);

/** All SQL on `backups`. */
@Injectable()
export class BackupsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Requests a backup; undefined when the same side requested one within so many days. Index: backups_account. */
  add(accountId: string, fileKey: string, days: number, byStaff: boolean): Promise<BackupRow | undefined> {
    return this.db.first(add, [accountId, fileKey, days, byStaff]);
  }

  /** The account's backups, the newest first. Index: backups_account. */
  ofAccount(accountId: string): Promise<BackupRow[]> {
    return this.db.rows(ofAccount, [accountId]);
  }

  /** A backup of an account that is not deleted. */
  byId(id: string): Promise<OwnedBackupRow | undefined> {
    return this.db.first(byId, [id]);
  }

  /** Marks the file of a backup as made; false when the backup is gone, or was marked before. */
  async markProcessed(id: string, size: number): Promise<boolean> {
    const done = { processed: true, fileSize: String(size) };
    return (await this.uow.manager.update(Backup, { id, processed: false }, done)).affected === 1;
  }

  /** Removes the account's backups before one that the same side requested; answers the keys of their files. */
  removeBefore({ id, accountId, byStaff }: OwnedBackupRow): Promise<string[]> {
    return this.remove({ accountId, byStaff, id: LessThan(id) });
  }

  /** Removes all backups of the account; returns the keys of their files. Index: backups_account. */
  removeAll(accountId: string): Promise<string[]> {
    return this.remove({ accountId });
  }

  /**
   * Removes some of the backups that are older than so many days, were not made within a day, or have no account;
   * returns the keys of their files. Index: backups_age, backups_account, backups_unmade.
   */
  async removeStale(days: number, limit: number): Promise<string[]> {
    return (await this.db.rows(removeStale, [days, limit])).map(({ fileKey }) => fileKey);
  }

  private async remove(which: FindOptionsWhere<Backup>): Promise<string[]> {
    const removal = this.uow.manager.createQueryBuilder().delete().from(Backup).where(which);
    const removed = (await removal.returning(['fileKey']).execute()).raw as { file_key: string }[];
    return removed.map((row) => row.file_key);
  }
}
