import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { ChatsModule } from '../../chats/index.js';
import { EmojiModule } from '../../emoji/index.js';
import { MediaModule } from '../../media/index.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { FetchModule } from '../fetch/fetch.module.js';
import { PoliciesModule } from '../policies/policies.module.js';
import { SignaturesModule } from '../signatures/signatures.module.js';
import { AccountActivitiesService } from './account-activities.service.js';
import { ChatActivitiesJobs } from './chat-activities.jobs.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DeliveryService } from './delivery.service.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { FollowersHeader } from './followers-header.js';
import { FlagsService } from './flags.service.js';
import { HostsRepository } from './hosts.repository.js';
import { HostsService } from './hosts.service.js';
import { InteractionActivitiesService } from './interaction-activities.service.js';
import { OutboxRepository } from './outbox.repository.js';
import { OutboxService } from './outbox.service.js';
import { StatusActivitiesService } from './status-activities.service.js';
import { QuoteActivitiesService } from './quote-activities.service.js';
import { RelationshipActivitiesService } from './relationship-activities.service.js';
import { WaitingDeliveriesService } from './waiting-deliveries.service.js';

/** Tells other servers what happens here: events become activities, activities become deliveries. */
@Module({
  imports: [
    AccountsModule,
    ChatsModule,
    EmojiModule,
    MediaModule,
    PoliciesModule,
    FetchModule,
    DocumentsModule,
    SignaturesModule,
  ],
  providers: [
    AccountActivitiesService,
    ChatActivitiesJobs,
    DeliveriesRepository,
    DeliveryMetrics,
    DeliveryService,
    ActivitySourcesRepository,
    FlagsService,
    FollowersHeader,
    HostsRepository,
    HostsService,
    InteractionActivitiesService,
    OutboxService,
    OutboxRepository,
    StatusActivitiesService,
    QuoteActivitiesService,
    RelationshipActivitiesService,
    WaitingDeliveriesService,
  ],
  exports: [FlagsService, HostsService, OutboxService, QuoteActivitiesService, RelationshipActivitiesService],
})
export class OutboxModule {}
