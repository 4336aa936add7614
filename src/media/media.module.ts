import { Module } from '@nestjs/common';
import { AttachmentRepository } from './model/attachment.repository.js';
import { AttachmentView } from './attachments/attachment.view.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import { FileOwners } from './files/file-owners.port.js';
import { ReportedFiles } from './files/reported-files.port.js';
import { FilesController } from './attachments/files.controller.js';
import { MascotRepository } from './mascots/mascot.repository.js';
import { MascotImageController, MascotsController } from './mascots/mascots.controller.js';
import { MascotsService } from './mascots/mascots.service.js';
import { MediaController } from './attachments/media.controller.js';
import { MediaCleaningService } from './storage/media-cleaning.service.js';
import { StoredUploadsRepository } from './model/stored-uploads.repository.js';
import { MediaFilesService } from './storage/media-files.service.js';
import { MediaReader } from './storage/media-reader.js';
import { MediaUrls } from './storage/media-urls.js';
import { ProfilePicturesService } from './storage/profile-pictures.service.js';
import { BannedMediaRepository } from './proxy/banned-media.repository.js';
import { ForeignFiles } from './proxy/foreign-files.js';
import { MediaBansService } from './proxy/media-bans.service.js';
import { MediaProxyService } from './proxy/media-proxy.service.js';
import { ProxyCache } from './proxy/proxy-cache.js';
import { ProxyController } from './proxy/proxy.controller.js';
import { ProxyPreviewsService } from './proxy/proxy-previews.service.js';
import { ProxyJobs } from './proxy/proxy.jobs.js';
import { ProxyUrls } from './proxy/proxy-urls.js';

/** Pictures, videos and recordings: uploads, storage, delivery, and the proxy for files of other servers. */
@Module({
  controllers: [MediaController, FilesController, MascotsController, MascotImageController, ProxyController],
  providers: [
    AttachmentRepository,
    MediaCleaningService,
    StoredUploadsRepository,
    AttachmentsService,
    AttachmentView,
    BannedMediaRepository,
    FileOwners,
    ForeignFiles,
    MascotRepository,
    MascotsService,
    MediaBansService,
    MediaFilesService,
    MediaProxyService,
    MediaReader,
    MediaUrls,
    ProfilePicturesService,
    ProxyCache,
    ProxyPreviewsService,
    ProxyJobs,
    ProxyUrls,
    ReportedFiles,
  ],
  exports: [
    AttachmentsService,
    AttachmentView,
    FileOwners,
    MediaBansService,
    MediaProxyService,
    MediaUrls,
    ProfilePicturesService,
    ProxyCache,
    ReportedFiles,
  ],
})
export class MediaModule {}
