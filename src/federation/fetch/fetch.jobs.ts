import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { Handles, ignoreUnauthorized, type JobKind, Jobs, Subscribes, UnitOfWork } from '../../platform/index.js';
import { PollOutdated } from '../../statuses/index.js';
import { AccountDiscoveryService, DiscoverAccount } from './account-discovery.service.js';
import { HiddenCollections } from './hidden-collections.js';
import { type ClaimedMove, ConfirmMove, RefreshActor, RemoteActors } from './remote-actors.js';
import { RemoteMoves } from './remote-moves.js';
import { FetchStatuses, RemoteStatusFetcher } from './remote-status-fetcher.js';
import type { Thread } from './thread.js';

const HOUR_MS = 3_600_000;

/** Fetches what stored posts refer to, and accounts that were not looked at for long. */
@Injectable()
export class FetchJobs {
  constructor(
    private readonly discovery: AccountDiscoveryService,
    private readonly actors: RemoteActors,
    private readonly hidden: HiddenCollections,
    private readonly moves: RemoteMoves,
    private readonly posts: RemoteStatusFetcher,
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  @Handles(RefreshActor)
  async refreshActor({ uri, misses }: { uri: string; misses?: number }): Promise<void> {
    if (!this.settings.get('instance.federating')) return; // the next use of the account plans it again
    const account = await this.actors.refresh(uri, { misses }).catch(ignoreUnauthorized);
    if (account && account !== 'gone') await this.hidden.refresh(account);
  }

  @Handles(ConfirmMove)
  async confirmMove(claim: ClaimedMove): Promise<void> {
    if (await this.postponeUnlessFederating(ConfirmMove, claim)) return;
    await this.moves.confirm(claim);
  }

  @Handles(DiscoverAccount)
  async discover({ accountId }: { accountId: string }): Promise<void> {
    if (await this.postponeUnlessFederating(DiscoverAccount, { accountId })) return;
    await this.discovery.discover(accountId);
  }

  @Subscribes(PollOutdated, { job: 'federation.refresh-poll', queue: 'ask' })
  async refreshPoll({ uri }: PollOutdated): Promise<void> {
    await this.posts.lookUp(uri).catch(ignoreUnauthorized);
  }

  @Handles(FetchStatuses)
  async fetchStatuses(thread: Thread): Promise<void> {
    if (await this.postponeUnlessFederating(FetchStatuses, thread)) return;
    await this.posts.fetchNext(thread);
  }

  /**
   * Plans a job anew while this server does not federate, since it could ask nobody; returns whether it did. That counts as
   * no try. The new job has no key: with that of the running one, the running one would be repeated at once.
   */
  private async postponeUnlessFederating<T extends object>(kind: JobKind<T>, payload: T): Promise<boolean> {
    if (this.settings.get('instance.federating')) return false;
    const runAt = new Date(Date.now() + HOUR_MS);
    await this.uow.run(() => this.jobs.enqueue(kind, payload, { runAt }));
    return true;
  }
}
