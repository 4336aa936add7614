import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { ChatsModule } from '../../chats/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { FetchModule } from '../fetch/fetch.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { PoliciesModule } from '../policies/policies.module.js';
import { RelaysModule } from '../relays/relays.module.js';
import { SignaturesModule } from '../signatures/signatures.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { ActivityRunner } from './activity-runner.js';
import { ContentHandler } from './handlers/content.handler.js';
import { FeatureHandler } from './handlers/feature.handler.js';
import { FollowHandler } from './handlers/follow.handler.js';
import { GroupHandler } from './handlers/group.handler.js';
import { InteractionHandler } from './handlers/interaction.handler.js';
import { LifecycleHandler } from './handlers/lifecycle.handler.js';
import { ListenHandler } from './handlers/listen.handler.js';
import { QuoteHandler } from './handlers/quote.handler.js';
import { RelayHandler } from './handlers/relay.handler.js';
import { ForwardingService } from './forwarding.service.js';
import { FollowersSynchronizationService } from './followers-synchronization.service.js';
import { InboxAskingService } from './inbox-asking.service.js';
import { InboxDrainService } from './inbox-drain.service.js';
import { INBOX_HANDLERS, type InboxHandler } from './inbox-handler.js';
import { InboxController } from './inbox.controller.js';
import { InboxLimits } from './inbox.limits.js';
import { InboxMetrics } from './inbox.metrics.js';
import { InboxRepository } from './inbox.repository.js';
import { InboxService } from './inbox.service.js';
import { ForwardedStatuses } from './forwarded-statuses.js';
import { Relevance } from './relevance.js';

const handlers = [
  RelayHandler,
  ContentHandler,
  FeatureHandler,
  FollowHandler,
  GroupHandler,
  InteractionHandler,
  ListenHandler,
  QuoteHandler,
  LifecycleHandler,
];

/** Receives what other servers send. A new kind of activity is a new handler in this list. */
@Module({
  imports: [
    AccountsModule,
    ChatsModule,
    PoliciesModule,
    DocumentsModule,
    FetchModule,
    OutboxModule,
    RelaysModule,
    SignaturesModule,
    StatusesModule,
  ],
  controllers: [InboxController],
  providers: [
    ...handlers,
    { provide: INBOX_HANDLERS, useFactory: (...all: InboxHandler[]) => all, inject: handlers },
    ActivityRunner,
    ForwardingService,
    FollowersSynchronizationService,
    InboxAskingService,
    InboxDrainService,
    InboxLimits,
    InboxMetrics,
    InboxRepository,
    InboxService,
    ForwardedStatuses,
    Relevance,
  ],
  exports: [InboxDrainService, InboxMetrics],
})
export class InboxModule {}
