import { Injectable } from '@nestjs/common';
import { Brand, THUMBNAIL_SIDE } from '../../platform/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import type { AttachmentJson } from './attachment.shape.js';
import { MediaUrls } from '../storage/media-urls.js';

/** Renders attachments (reference MediaAttachment; spec §2.3). */
@Injectable()
export class AttachmentView {
  constructor(
    private readonly brand: Brand,
    private readonly urls: MediaUrls,
  ) {}

  many(rows: readonly AttachmentRow[]): Readonly<Record<string, unknown>>[] {
    return rows.map((row) => this.one(row));
  }

  one(row: AttachmentRow): Readonly<Record<string, unknown>> {
    const { svc, ...attachment } = this.render(row);
    return { ...attachment, [this.brand.word]: svc };
  }

  private render(row: AttachmentRow): AttachmentJson {
    const url = this.urls.ofAttachment(row);
    return {
      id: row.id,
      type: row.type,
      url,
      preview_url: this.urls.previewOf(row),
      remote_url: row.remoteUrl,
      preview_remote_url: row.remotePreviewUrl,
      text_url: url,
      description: row.description || null,
      ...metaOf(row),
      blurhash: row.blurhash,
      svc: { mime_type: row.mimeType },
    };
  }
}

/**
 * The known sizes of the file and of its preview. That of a video or a sound is left out: its sides differ from those of the
 * file. Of files of other servers these are the sizes that those state.
 */
function metaOf({
  type,
  width,
  height,
  duration,
  thumbnailKey: thumbnail,
}: AttachmentRow): Pick<AttachmentJson, 'meta'> {
  const isSized = width !== null && height !== null;
  const original = { ...(isSized ? sizeOf(width, height) : {}), ...(duration === null ? {} : { duration }) };
  if (Object.keys(original).length === 0) return {};
  if (!isSized || (thumbnail !== null && type !== 'image')) return { meta: { original } };
  const scale = thumbnail === null ? 1 : Math.min(1, THUMBNAIL_SIDE / Math.max(width, height));
  return { meta: { original, small: sizeOf(width, height, scale) } };
}

function sizeOf(fullWidth: number, fullHeight: number, scale = 1) {
  const side = (full: number) => Math.max(1, Math.round(full * scale));
  const [width, height] = [side(fullWidth), side(fullHeight)];
  return { width, height, size: `${width}x${height}`, aspect: width / height };
}
