import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AccountResolverService } from './account-resolver.service.js';
import { DocumentsModule } from './documents/documents.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { SignaturesModule } from './signatures/signatures.module.js';

/** The exchange with other servers (ActivityPub). */
@Module({
  imports: [AccountsModule, DocumentsModule, OutboxModule, SignaturesModule],
  providers: [AccountResolverService],
  exports: [DocumentsModule, OutboxModule],
})
export class FederationModule {}
