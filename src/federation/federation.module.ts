import { Module } from '@nestjs/common';
import { MediaModule } from '../media/index.js';
import { ApController } from './ap.controller.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { WellKnownController } from './well-known.controller.js';

/** The face to other servers: what they may look up and fetch here. */
@Module({
  imports: [MediaModule],
  controllers: [ApController, WellKnownController],
  providers: [DocumentsRepository, DocumentsService],
})
export class FederationModule {}
