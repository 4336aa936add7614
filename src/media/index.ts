export { Attachment } from './attachment.entity.js';
export {
  type AttachmentRow,
  attachmentsAmong,
  attachmentsOf,
  type AttachmentType,
  scheduledAttachmentsOf,
} from './attachment.rows.js';
export { type AttachmentJson, AttachmentShape } from './attachment.shape.js';
export { AttachmentView } from './attachment.view.js';
export { AttachmentsService } from './attachments.service.js';
export { FORMER_ARCHIVES } from './files.controller.js';
export { Mascot } from './mascot.entity.js';
export { AttachmentDescribed } from './media.events.js';
export { MediaModule } from './media.module.js';
export { keyAt, MediaUrls } from './media-urls.js';
export { BannedMedia } from './proxy/banned-media.entity.js';
export { type BannedPage, MediaBans } from './proxy/media-bans.service.js';
export { type PictureUse, ProfilePictures, type StoredPicture } from './profile-pictures.service.js';
export { sendStoredFile } from './send-stored-file.js';
