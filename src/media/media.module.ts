import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attachment } from './attachment.entity.js';
import { AttachmentRepository } from './attachment.repository.js';
import { AttachmentView } from './attachment.view.js';
import { AttachmentsService } from './attachments.service.js';
import { FilesController } from './files.controller.js';
import { Mascot } from './mascot.entity.js';
import { MascotRepository } from './mascot.repository.js';
import { MascotImageController, MascotsController } from './mascots.controller.js';
import { MascotsService } from './mascots.service.js';
import { MediaController } from './media.controller.js';
import { MediaJob } from './media.job.js';
import { MediaFiles } from './media-files.service.js';
import { MediaReader } from './media-reader.js';
import { MediaUrls } from './media-urls.js';
import { ProfilePictures } from './profile-pictures.service.js';

/** Pictures, films and recordings: taking them in, keeping them, serving them. */
@Module({
  imports: [TypeOrmModule.forFeature([Attachment, Mascot])],
  controllers: [MediaController, FilesController, MascotsController, MascotImageController],
  providers: [
    AttachmentRepository,
    AttachmentsService,
    AttachmentView,
    MascotRepository,
    MascotsService,
    MediaFiles,
    MediaJob,
    MediaReader,
    MediaUrls,
    ProfilePictures,
  ],
  exports: [AttachmentsService, AttachmentView, MediaUrls, ProfilePictures],
})
export class MediaModule {}
