import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { StaffRights } from '../../access/index.js';
import { acctOf, AccountsService, type UserFacts, UsersService } from '../../accounts/index.js';
import { Invalid, NotFound, Pages, phrase } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import {
  DAILY,
  done,
  Handles,
  isBigintId,
  job,
  Jobs,
  Mailer,
  type Outcome,
  OwnerLocks,
  Recurs,
  repeatSlices,
  retry,
  skip,
  TRIES_OF_A_DAY,
  UnitOfWork,
  zipped,
} from '../../platform/index.js';
import { ArchiveStorage } from './archive-storage.js';
import { ArchiveService } from './archive.service.js';
import { BackupUrls } from './backup-urls.js';
import { type BackupRow, BackupsRepository, type OwnedBackupRow } from './backups.repository.js';

export interface BackupOrder {
  readonly backupId: string;
  /** The administrator who gets the mail; without, it is the owner. */
  readonly readerId?: string | undefined;
}

/** The terms of an order: an owner gets one archive in some days, the staff has no limit. Neither replaces those of the other. */
export interface BackupTerms {
  readonly byStaff: boolean;
  readonly readerId?: string | undefined;
}

export const MakeBackup = job<BackupOrder>('portability.make-backup', 'transfer', { tries: TRIES_OF_A_DAY });
export const RemoveBackupFiles = job<{ keys: readonly string[] }>('portability.remove-backup-files', 'maintenance', {
  tries: TRIES_OF_A_DAY,
  isOnlyRecord: true,
});
export const MailBackup = job<BackupOrder>('mail.backup-ready', 'mail');

/** The scopes of the route by which the staff orders archives. */
const ORDERING = ['admin:read:accounts'];
const OWNER: BackupTerms = { byStaff: false };
const SWEPT_AT_ONCE = 500;
const NO_ROOM_RETRY_MS = 3_600_000;

/** Manages archives of accounts (spec §4.2). */
@Injectable()
export class BackupsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly storage: ArchiveStorage,
    private readonly backups: BackupsRepository,
    private readonly archive: ArchiveService,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly rights: StaffRights,
    private readonly urls: BackupUrls,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
  ) {}

  /** The account's archives, the newest first. */
  list(accountId: string): Promise<BackupRow[]> {
    return this.backups.ofAccount(accountId);
  }

  /** Requests an archive, which a job makes. Throws Invalid when the last one is too recent. */
  request(accountId: string, { byStaff, readerId }: BackupTerms = OWNER): Promise<BackupRow> {
    const days = byStaff ? 0 : this.settings.get('backup.limit_days');
    return this.uow.run(async () => {
      await this.locks.lock('backups', accountId);
      const backup = await this.backups.add(accountId, newKey(), days, byStaff);
      if (!backup)
        throw new Invalid(
          days === 1
            ? phrase('Last export was less than {days} day ago', { days })
            : phrase('Last export was less than {days} days ago', { days }),
        );
      this.jobs.enqueue(MakeBackup, { backupId: backup.id, readerId });
      return backup;
    });
  }

  /** The finished archive at an address. Throws NotFound for every other address. */
  async opened(id: string, secret: string): Promise<OwnedBackupRow> {
    const backup = isBigintId(id) ? await this.backups.byId(id) : undefined;
    if (!backup?.processed || !this.urls.opens(secret, backup)) throw new NotFound('Not found');
    return backup;
  }

  /**
   * Makes an archive. A killed try leaves only a draft in the storage; the next one starts again under the same key.
   * Older archives of the same side are removed only after that.
   */
  @Handles(MakeBackup)
  async make({ backupId, readerId }: BackupOrder): Promise<Outcome> {
    const backup = await this.backups.byId(backupId);
    if (!backup || backup.processed) return skip('The archive is complete or was deleted');
    const account = await this.accounts.byId(backup.accountId);
    if (!account) return skip('The account is gone');
    if (await this.storage.isFull()) return retry('The disk is nearly full', NO_ROOM_RETRY_MS);
    await this.storage.put(backup.fileKey, zipped(this.archive.entries(account)));
    const size = (await this.storage.stat(backup.fileKey))?.size ?? 0;
    const isWanted = await this.uow.run(() => this.finish(backup, size, readerId));
    if (!isWanted) await this.storage.remove(backup.fileKey);
    return done;
  }

  /** Mails the owner, or the administrator who ordered it, that an archive is ready. */
  @Handles(MailBackup)
  async mail({ backupId, readerId }: BackupOrder): Promise<Outcome> {
    const backup = await this.backups.byId(backupId);
    if (!backup) return skip('The archive is gone');
    const isOrdered = readerId !== undefined;
    if (backup.isDeactivated && !isOrdered) return skip('The owner cannot open the archive');
    const user = isOrdered ? await this.staffOf(readerId) : await this.userOf(backup.accountId);
    if (!user?.email) return skip('There is no recipient');
    const { email, locale } = user;
    const t = this.pages.translatorFor(locale);
    const { name: server } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text('mail.backup.subject', { server }),
      paragraphs: [
        t.text(isOrdered ? 'mail.backup.ordered' : 'mail.backup.text', {
          handle: `@${acctOf(backup.nickname, null)}`,
        }),
        t.text('mail.backup.secret', { days: this.keptDays() }),
      ],
      action: { label: t.text('mail.backup.action'), url: this.urls.of(backup, isOrdered ? 'staff' : 'owner') },
    });
    return this.mailer.deliver({ to: email, ...letter });
  }

  /** Removes archives that are old, failed, or have no account. */
  @Recurs({ job: 'portability.sweep-backups', everyMinutes: DAILY })
  sweep(): Promise<void> {
    return repeatSlices(() =>
      this.uow.run(async () => {
        const keys = await this.backups.removeStale(this.keptDays(), SWEPT_AT_ONCE);
        this.discard(keys);
        return keys.length === SWEPT_AT_ONCE;
      }),
    );
  }

  /** Removes the archives of an account that was deleted. */
  async removeAll(accountId: string): Promise<void> {
    await this.uow.run(async () => this.discard(await this.backups.removeAll(accountId)));
  }

  /** Removes files now. Safe to run twice. */
  @Handles(RemoveBackupFiles)
  async removeFiles({ keys }: { keys: readonly string[] }): Promise<void> {
    await this.storage.remove(...keys);
  }

  private async userOf(accountId: string): Promise<UserFacts | undefined> {
    const account = await this.accounts.byId(accountId);
    return account?.deletedAt === null ? this.users.facts(accountId) : undefined;
  }

  /** The one of the staff, unless their rights ended since the order. */
  private async staffOf(accountId: string): Promise<UserFacts | undefined> {
    const user = await this.userOf(accountId);
    return user?.active && this.rights.admits(user, ORDERING) ? user : undefined;
  }

  private async finish(backup: OwnedBackupRow, size: number, readerId: string | undefined): Promise<boolean> {
    if (!(await this.backups.markProcessed(backup.id, size))) {
      return (await this.backups.byId(backup.id))?.processed ?? false;
    }
    this.discard(await this.backups.removeBefore(backup));
    if (this.mailer.isOn) this.jobs.enqueue(MailBackup, { backupId: backup.id, readerId });
    return true;
  }

  private discard(keys: readonly string[]): void {
    if (keys.length > 0) this.jobs.enqueue(RemoveBackupFiles, { keys });
  }

  /** The limit counts existing archives, so none is removed before another one may be requested. */
  private keptDays(): number {
    return Math.max(this.settings.get('backup.purge_after_days'), this.settings.get('backup.limit_days'));
  }
}

/** Random, because the secret in the address is derived from it. */
function newKey(): string {
  return `backups/${randomBytes(16).toString('hex')}.zip`;
}
