export type { RemoteAttachment } from './model/attachment.repository.js';
export { Attachment } from './model/attachment.entity.js';
export {
  type AttachmentRow,
  attachmentsAmong,
  attachmentsOf,
  type AttachmentType,
  chatAttachmentsOf,
  scheduledAttachmentsOf,
} from './model/attachment.rows.js';
export { type AttachmentJson, AttachmentShape } from './attachments/attachment.shape.js';
export { AttachmentView } from './attachments/attachment.view.js';
export { AttachmentsService } from './attachments/attachments.service.js';
export { FORMER_ARCHIVES } from './attachments/files.controller.js';
export { Mascot } from './mascots/mascot.entity.js';
export { AttachmentDescribed } from './model/media.events.js';
export { MediaModule } from './media.module.js';
export { keyAt, MediaUrls } from './storage/media-urls.js';
export { BannedMedia } from './proxy/banned-media.entity.js';
export { ForeignFileError } from './proxy/foreign-files.js';
export { MediaProxyService } from './proxy/media-proxy.service.js';
export { type BannedPage, MediaBansService } from './proxy/media-bans.service.js';
export { type PictureUse, ProfilePicturesService, type StoredPicture } from './storage/profile-pictures.service.js';
export { sendStoredFile } from './files/send-stored-file.js';
