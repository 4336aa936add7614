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
import { BannedMedia } from './proxy/banned-media.entity.js';
import { BannedMediaRepository } from './proxy/banned-media.repository.js';
import { ForeignFiles } from './proxy/foreign-files.js';
import { MediaBans } from './proxy/media-bans.service.js';
import { MediaProxy } from './proxy/media-proxy.service.js';
import { ProxyCache } from './proxy/proxy-cache.js';
import { ProxyController } from './proxy/proxy.controller.js';
import { ProxyPreviews } from './proxy/proxy-previews.service.js';
import { ProxySubscriber } from './proxy/proxy.subscriber.js';
import { ProxyUrls } from './proxy/proxy-urls.js';

/** Pictures, films and recordings: taking them in, keeping them, serving them, and showing those of other servers. */
@Module({
  imports: [TypeOrmModule.forFeature([Attachment, BannedMedia, Mascot])],
  controllers: [MediaController, FilesController, MascotsController, MascotImageController, ProxyController],
  providers: [
    AttachmentRepository,
    AttachmentsService,
    AttachmentView,
    BannedMediaRepository,
    ForeignFiles,
    MascotRepository,
    MascotsService,
    MediaBans,
    MediaFiles,
    MediaJob,
    MediaProxy,
    MediaReader,
    MediaUrls,
    ProfilePictures,
    ProxyCache,
    ProxyPreviews,
    ProxySubscriber,
    ProxyUrls,
  ],
  exports: [AttachmentsService, AttachmentView, MediaBans, MediaUrls, ProfilePictures],
})
export class MediaModule {}
