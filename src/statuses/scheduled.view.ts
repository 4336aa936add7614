import { Injectable } from '@nestjs/common';
import { Json } from '../common/index.js';
import { AttachmentView } from '../media/index.js';
import type { ScheduledRow } from './scheduled.repository.js';

/** Posts that wait for their time as JSON (reference ScheduledStatus): no statement, the rows hold all. */
@Injectable()
export class ScheduledView {
  constructor(private readonly attachments: AttachmentView) {}

  one({ id, scheduled_at: scheduledAt, options, app_id: appId, attachments }: ScheduledRow): Json {
    const { poll } = options;
    return Json.of({
      id,
      scheduled_at: scheduledAt,
      params: {
        text: options.text,
        media_ids: options.mediaIds ?? [],
        sensitive: options.sensitive ?? null,
        spoiler_text: options.spoiler ?? null,
        visibility: options.visibility ?? null,
        scheduled_at: scheduledAt,
        in_reply_to_id: options.inReplyToId ?? null,
        poll: poll
          ? {
              options: poll.options ?? [],
              expires_in: poll.expiresIn ?? null,
              multiple: poll.multiple ?? false,
              hide_totals: poll.hideTotals ?? false,
            }
          : null,
        language: options.language ?? null,
        idempotency: null,
        application_id: appId,
        expires_in: options.expiresIn ?? null,
      },
      media_attachments: this.attachments.many(attachments ?? []),
    });
  }
}
