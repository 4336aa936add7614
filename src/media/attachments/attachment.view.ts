import { Inject, Injectable } from '@nestjs/common';
import { brandKey } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import type { AttachmentJson } from './attachment.shape.js';
import { MediaUrls } from '../storage/media-urls.js';

/** Renders attachments (reference MediaAttachment; spec §2.3). */
@Injectable()
export class AttachmentView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly urls: MediaUrls,
  ) {}

  many(rows: readonly AttachmentRow[]): Readonly<Record<string, unknown>>[] {
    return rows.map((row) => this.one(row));
  }

  one(row: AttachmentRow): Readonly<Record<string, unknown>> {
    const { svc, ...attachment } = this.render(row);
    return { ...attachment, [brandKey(this.env.brand, 'svc')]: svc };
  }

  private render(row: AttachmentRow): AttachmentJson {
    const url = this.urls.ofAttachment(row);
    return {
      id: row.id,
      type: row.type,
      url,
      preview_url: this.urls.previewOf(row),
      remote_url: row.remote_url,
      text_url: url,
      description: row.description || null,
      ...metaOf(row),
      blurhash: row.blurhash,
      svc: { mime_type: row.mime_type },
    };
  }
}

/** The known size of the file. Files of other servers have none, since they are not read (spec §4.3). */
function metaOf({ width, height, duration }: AttachmentRow): Pick<AttachmentJson, 'meta'> {
  const original = {
    ...(width === null || height === null ? {} : { width, height, size: `${width}x${height}` }),
    ...(duration === null ? {} : { duration }),
  };
  return Object.keys(original).length === 0 ? {} : { meta: { original } };
}
