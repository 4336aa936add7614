import { Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import { AttachmentView } from '../../media/index.js';
import type { ComposeOptions } from '../compose/draft.js';
import type { PollOptions } from '../polls/poll.draft.js';
import type { ScheduledRow } from './scheduled.repository.js';

/** Renders scheduled posts (reference ScheduledStatus). Costs no statement: the rows have all data. */
@Injectable()
export class ScheduledView {
  constructor(private readonly attachments: AttachmentView) {}

  one({ id, scheduledAt, options, appId, attachments }: ScheduledRow): Json {
    return Json.of({
      id,
      scheduled_at: scheduledAt,
      params: { ...asked(options), scheduled_at: scheduledAt, idempotency: null, application_id: appId },
      media_attachments: this.attachments.many(attachments ?? []),
    });
  }
}

/** The input for the post; omitted options are null. */
function asked(options: ComposeOptions): object {
  const { text, mediaIds, sensitive, spoiler, visibility, inReplyToId, poll, language, expiresIn } = options;
  return {
    text,
    media_ids: mediaIds ?? [],
    sensitive: sensitive ?? null,
    spoiler_text: spoiler ?? null,
    visibility: visibility ?? null,
    in_reply_to_id: inReplyToId ?? null,
    poll: poll ? pollOf(poll) : null,
    language: language ?? null,
    expires_in: expiresIn ?? null,
  };
}

function pollOf({ options, expiresIn, multiple, hideTotals }: PollOptions): object {
  return {
    options: options ?? [],
    expires_in: expiresIn ?? null,
    multiple: multiple ?? false,
    hide_totals: hideTotals ?? false,
  };
}
