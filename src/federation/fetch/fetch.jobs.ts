import { Injectable } from '@nestjs/common';
import { Handles, Subscribes } from '../../platform/index.js';
import { PollOutdated } from '../../statuses/index.js';
import { AccountDiscoveryService, DiscoverAccount } from './account-discovery.service.js';
import { HiddenCollections } from './hidden-collections.js';
import { type ClaimedMove, ConfirmMove, RefreshActor, RemoteActors } from './remote-actors.js';
import { RemoteMoves } from './remote-moves.js';
import { FetchStatuses, RemoteStatusFetcher, type Thread } from './remote-status-fetcher.js';

/** Fetches what stored posts refer to, and accounts that were not looked at for long. */
@Injectable()
export class FetchJobs {
  constructor(
    private readonly discovery: AccountDiscoveryService,
    private readonly actors: RemoteActors,
    private readonly hidden: HiddenCollections,
    private readonly moves: RemoteMoves,
    private readonly posts: RemoteStatusFetcher,
  ) {}

  @Handles(RefreshActor)
  async refreshActor({ uri }: { uri: string }): Promise<void> {
    const account = await this.actors.refresh(uri);
    if (account && account !== 'gone') await this.hidden.refresh(account);
  }

  @Handles(ConfirmMove)
  async confirmMove(claim: ClaimedMove): Promise<void> {
    await this.moves.confirm(claim);
  }

  @Handles(DiscoverAccount)
  async discover({ accountId }: { accountId: string }): Promise<void> {
    await this.discovery.discover(accountId);
  }

  @Subscribes(PollOutdated, { job: 'federation.refresh-poll', queue: 'ask' })
  async refreshPoll({ uri }: PollOutdated): Promise<void> {
    await this.posts.lookUp(uri);
  }

  @Handles(FetchStatuses)
  async fetchStatuses(thread: Thread): Promise<void> {
    await this.posts.fetchNext(thread);
  }
}
