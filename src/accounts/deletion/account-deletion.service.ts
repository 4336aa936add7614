import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/index.js';
import { ProfilePicturesService } from '../../media/index.js';
import { Events, Handles, job, Jobs, Subscribes, UnitOfWork } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { SETTLED_AFTER_MS } from '../model/account.rows.js';
import { AccountDeactivated, AccountDeleted } from '../model/accounts.events.js';
import { FollowsService } from '../relationships/follows.service.js';
import { LastAdminService } from '../users/last-admin.service.js';
import { UserRepository } from '../users/user.repository.js';
import { AccountDepartures } from './account-departures.port.js';
import { AccountDeletionRepository } from './account-deletion.repository.js';
import { OwnedRowsRepository } from './owned-rows.repository.js';

interface RepeatedDeletion {
  readonly accountId: string;
  readonly local?: boolean;
  readonly byStaff?: boolean;
}

/** Emits {@link AccountDeleted} again. */
export const RepeatDeletion = job<RepeatedDeletion>('accounts.repeat-deletion', 'maintenance');

/**
 * Deletes accounts: those here for good, those of other servers until their server restores them. The row of the account stays as
 * a tombstone: its nickname is never free again.
 */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly keeper: LastAdminService,
    private readonly deletion: AccountDeletionRepository,
    private readonly pictures: ProfilePicturesService,
    private readonly follows: FollowsService,
    private readonly rows: OwnedRowsRepository,
    private readonly departures: AccountDepartures,
  ) {}

  /**
   * Hides the account at once, ends its sign-ins and removes its log-in and profile, in one unit of work. Jobs of that
   * unit remove everything else. With a hash, returns false when the password has changed since.
   * @throws NotFound when there is no such local account, Forbidden for the only active administrator
   */
  async delete(accountId: string, passwordHash?: string): Promise<boolean> {
    return this.uow.run(async () => {
      await this.keeper.requireAnother(accountId, 'be deleted');
      const pictures = await this.accounts.lockPictures(accountId);
      if (passwordHash !== undefined && !(await this.users.lockHash(accountId, passwordHash))) return false;
      if (!pictures || !(await this.deletion.markDeleted(accountId, true, false))) throw new NotFound();
      for (const path of Object.values(pictures)) this.pictures.discard(path);
      await this.departures.sendDeparture(accountId);
      this.deleted(accountId, true);
      return true;
    });
  }

  /**
   * Deletes a remote account that its server has deleted, or `byStaff`: then its server learns that its follows have ended. Nothing
   * happens when it was deleted before.
   */
  async deleteRemote(accountId: string, { byStaff = false } = {}): Promise<void> {
    await this.uow.run(async () => {
      if (await this.deletion.markDeleted(accountId, false, !byStaff)) this.deleted(accountId, false, byStaff);
    });
  }

  /** Makes sure that there is an account with the id {@link GHOST_ID}. */
  ensureGhost(): Promise<void> {
    return this.deletion.ensureGhost();
  }

  /** Whether an account of another server is stored and not deleted; see {@link knownAccountsOf}. */
  async hasAccountsOf(server: string): Promise<boolean> {
    return (await this.deletion.idsOf(server, 1)).length > 0;
  }

  /** Up to `limit` accounts of another server that are not deleted. */
  listOfServer(server: string, limit: number): Promise<string[]> {
    return this.deletion.idsOf(server, limit);
  }

  /**
   * Each module removes its rows in a job of its own: the subscribers of {@link AccountDeleted}. Not jobs: the row of the
   * user went in the statement that marked the account, and what `setActive` of `UsersService` says of the column
   * `deactivated_at` holds here too. The key pair of a local account stays until federation removes it: it signs the
   * Delete that {@link AccountDepartures} sends in the same unit of work.
   */
  private deleted(accountId: string, local: boolean, byStaff = false): void {
    this.events.emit(new AccountDeactivated(accountId, local));
    this.events.emit(new AccountDeleted(accountId, local, byStaff));
    this.jobs.enqueue(
      RepeatDeletion,
      { accountId, local, byStaff },
      { runAt: new Date(Date.now() + SETTLED_AFTER_MS) },
    );
  }

  /** Whether a deleted account of another server has returned. */
  async hasReturned(accountId: string): Promise<boolean> {
    const account = await this.accounts.byId(accountId);
    return account?.domain != null && account.deletedAt === null;
  }

  /**
   * Whether a deleted account may return: its server deleted it, and the staff here did not. Jobs of the deletion may be
   * older than this.
   */
  async mayReturn(accountId: string): Promise<boolean> {
    return (await this.accounts.byId(accountId))?.suspendedByServer === true;
  }

  /** Removes the rest of a deleted account once more. */
  @Handles(RepeatDeletion)
  async repeat({ accountId, local = true, byStaff = false }: RepeatedDeletion): Promise<void> {
    if (await this.hasReturned(accountId)) return;
    await this.uow.run(() => {
      this.events.emit(new AccountDeleted(accountId, local, byStaff));
    });
  }

  /**
   * Ends the relations of a deleted account and removes its own rows in this module. Safe to run twice. What others have
   * against an account that its server deleted stays with the tombstone: it may return (threat F28).
   */
  @Subscribes(AccountDeleted, { job: 'accounts.remove-relations', queue: 'maintenance' })
  async removeRelations({ accountId, local, byStaff }: AccountDeleted): Promise<void> {
    await this.follows.endAll(accountId, byStaff);
    if (local || byStaff)
      await this.rows.removeAll(accountId, ['blocks.target_id', 'mutes.target_id', 'account_notes.target_id']);
    await this.rows.removeAll(accountId, [
      'blocks.account_id',
      'mutes.account_id',
      'domain_blocks.account_id',
      'account_notes.account_id',
      'lists.account_id',
      'dismissed_suggestions.account_id',
      'suggested_accounts.account_id',
      'scrobbles.account_id',
    ]);
  }
}
