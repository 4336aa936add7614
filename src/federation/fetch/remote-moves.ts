import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, MovesService } from '../../accounts/index.js';
import { Jobs, UnitOfWork } from '../../platform/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { type ClaimedMove, ConfirmMove, confirmKey, RemoteActors } from './remote-actors.js';

/** The waits before the new account is asked again: its server, or a cache, may answer with a copy from before the move. */
const WAITS_MINUTES = [4, 60];

/** Moves of accounts of other servers, which count when the new account confirms them. */
@Injectable()
export class RemoteMoves {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly accounts: AccountsService,
    private readonly moves: MovesService,
    private readonly actors: RemoteActors,
    private readonly policies: PoliciesService,
  ) {}

  /** Asks the new account, and stores the move or plans another try. Not inside a unit of work. */
  async confirm(claim: ClaimedMove): Promise<void> {
    const account = await this.accounts.byId(claim.accountId);
    if (!account) return;
    const store = await this.confirmed(claim, account);
    await this.uow.run(store);
  }

  /**
   * Asks the new account anew; returns what is to be stored, in a unit of work. One that nobody here could
   * follow confirms nothing; of a blocked server only an old copy of it is known.
   */
  async confirmed(claim: ClaimedMove, { apId: uri }: AccountRow): Promise<() => Promise<unknown>> {
    const { accountId, targetUri, takesFollowers } = claim;
    const target = await this.actors.resolve(targetUri, { fresh: true, isTarget: true });
    const isConfirmed = target?.alsoKnownAs.includes(uri) === true && !this.policies.isOutOfReach(target);
    if (!isConfirmed) return () => this.askLater(claim);
    return () => (takesFollowers ? this.moves.move(accountId, target.id) : this.moves.show(accountId, target.id));
  }

  private askLater({ tries, ...claim }: ClaimedMove): Promise<void> {
    const minutes = WAITS_MINUTES[tries];
    if (minutes !== undefined) {
      const next = { ...claim, tries: tries + 1 };
      const runAt = new Date(Date.now() + minutes * 60_000);
      this.jobs.enqueue(ConfirmMove, next, { key: confirmKey(next), runAt, replaces: true });
    }
    return Promise.resolve();
  }
}
