import { Module } from '@nestjs/common';
import { DocumentsModule } from './documents/documents.module.js';
import { FetchModule } from './fetch/fetch.module.js';
import { HostBlocksRepository } from './host-blocks/host-blocks.repository.js';
import { HostBlocksService } from './host-blocks/host-blocks.service.js';
import { InboxModule } from './inbox/inbox.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { PoliciesModule } from './policies/policies.module.js';
import { RelaysModule } from './relays/relays.module.js';
import { RemoteFollowModule } from './remote-follow/remote-follow.module.js';
import { SignaturesModule } from './signatures/signatures.module.js';

/** The exchange with other servers (ActivityPub). */
@Module({
  imports: [
    DocumentsModule,
    FetchModule,
    InboxModule,
    OutboxModule,
    PoliciesModule,
    RelaysModule,
    RemoteFollowModule,
    SignaturesModule,
  ],
  providers: [HostBlocksRepository, HostBlocksService],
  exports: [
    DocumentsModule,
    HostBlocksService,
    InboxModule,
    OutboxModule,
    PoliciesModule,
    RelaysModule,
    SignaturesModule,
  ],
})
export class FederationModule {}
