import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { MediaModule } from '../../media/index.js';
import { AccountArchiveService } from './account-archive.service.js';
import { ApController } from './ap.controller.js';
import { ArchiveRepository } from './archive.repository.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsRepository } from './collections.repository.js';
import { CollectionsService } from './collections.service.js';
import { DocumentAccess } from './document-access.js';
import { DocumentReaders } from './document-readers.js';
import { DocumentReadersRepository } from './document-readers.repository.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { PoliciesModule } from '../policies/policies.module.js';
import { SignaturesModule } from '../signatures/signatures.module.js';
import { FollowersDigestRepository } from './followers-digest.repository.js';
import { FollowersDigests } from './followers-digests.js';
import { WellKnownController } from './well-known.controller.js';

/** The documents that other servers can look up and fetch. */
@Module({
  imports: [AccountsModule, PoliciesModule, MediaModule, SignaturesModule],
  controllers: [ApController, CollectionsController, WellKnownController],
  providers: [
    AccountArchiveService,
    ArchiveRepository,
    CollectionsRepository,
    CollectionsService,
    DocumentAccess,
    DocumentReaders,
    DocumentReadersRepository,
    DocumentsRepository,
    DocumentsService,
    FollowersDigestRepository,
    FollowersDigests,
  ],
  exports: [AccountArchiveService, DocumentReaders, DocumentsService, FollowersDigests],
})
export class DocumentsModule {}
