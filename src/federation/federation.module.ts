import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { MediaModule } from '../media/index.js';
import { AccountArchiveService } from './documents/account-archive.service.js';
import { AccountResolverService } from './account-resolver.service.js';
import { ApController } from './documents/ap.controller.js';
import { ArchiveRepository } from './documents/archive.repository.js';
import { DocumentAccess } from './documents/document-access.js';
import { DocumentsRepository } from './documents/documents.repository.js';
import { DocumentsService } from './documents/documents.service.js';
import { WellKnownController } from './documents/well-known.controller.js';
import { SignaturesModule } from './signatures/signatures.module.js';

/** What other servers can look up and fetch here. */
@Module({
  imports: [AccountsModule, MediaModule, SignaturesModule],
  controllers: [ApController, WellKnownController],
  providers: [
    AccountArchiveService,
    AccountResolverService,
    ArchiveRepository,
    DocumentAccess,
    DocumentsRepository,
    DocumentsService,
  ],
  exports: [AccountArchiveService],
})
export class FederationModule {}
