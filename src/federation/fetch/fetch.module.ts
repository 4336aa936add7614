import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { EmojiModule } from '../../emoji/index.js';
import { MediaModule } from '../../media/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { PoliciesModule } from '../policies/policies.module.js';
import { SignaturesModule } from '../signatures/signatures.module.js';
import { PolicyEffectsService } from '../policy-effects/policy-effects.service.js';
import { AccountDiscoveryService } from './account-discovery.service.js';
import { CollectionReader } from './collection-reader.js';
import { DocumentFetcher } from './document-fetcher.js';
import { HiddenCollections } from './hidden-collections.js';
import { FetchJobs } from './fetch.jobs.js';
import { LateLinksService } from './late-links.service.js';
import { RemoteActors } from './remote-actors.js';
import { RemoteMoves } from './remote-moves.js';
import { RemoteStatusFetcher } from './remote-status-fetcher.js';
import { SeenActivitiesRepository } from './seen-activities.repository.js';
import { ReachableHosts } from './reachable-hosts.port.js';
import { WebFingerClient } from './webfinger-client.js';

/** Finds accounts and posts of other servers. */
@Module({
  imports: [AccountsModule, EmojiModule, MediaModule, PoliciesModule, SignaturesModule, StatusesModule],
  providers: [
    AccountDiscoveryService,
    CollectionReader,
    DocumentFetcher,
    FetchJobs,
    HiddenCollections,
    LateLinksService,
    PolicyEffectsService,
    RemoteActors,
    RemoteMoves,
    RemoteStatusFetcher,
    ReachableHosts,
    SeenActivitiesRepository,
    WebFingerClient,
  ],
  exports: [
    CollectionReader,
    DocumentFetcher,
    RemoteActors,
    RemoteMoves,
    RemoteStatusFetcher,
    ReachableHosts,
    SeenActivitiesRepository,
    WebFingerClient,
  ],
})
export class FetchModule {}
