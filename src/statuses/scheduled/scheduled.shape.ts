import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Nullable } from '../../common/index.js';
import { AttachmentShape } from '../../media/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';

const closed = { additionalProperties: false } as const;
const Text = Nullable(Type.String());
const Flag = Nullable(Type.Boolean());
const Seconds = Nullable(Type.Integer());

/** A scheduled post (spec §2.3, reference ScheduledStatus). */
export const ScheduledStatusShape = Type.Object(
  {
    id: DecimalId,
    scheduled_at: DateTime,
    params: Type.Object(
      {
        text: Type.String(),
        media_ids: Type.Array(DecimalId),
        sensitive: Flag,
        spoiler_text: Text,
        visibility: Text,
        scheduled_at: DateTime,
        in_reply_to_id: Text,
        poll: Nullable(
          Type.Object(
            {
              options: Type.Array(Type.String()),
              expires_in: Seconds,
              multiple: Type.Boolean(),
              hide_totals: Type.Boolean(),
            },
            closed,
          ),
        ),
        language: Text,
        idempotency: Type.Null(),
        application_id: Nullable(DecimalId),
        expires_in: Seconds,
      },
      closed,
    ),
    media_attachments: Type.Array(AttachmentShape),
  },
  { ...closed, title: 'ScheduledStatus' },
);

/** The response to posting: the post, or the scheduled post. */
export const PostedOrScheduledShape = Type.Union([PlainStatusShape, ScheduledStatusShape]);

export type ScheduledStatusJson = Static<typeof ScheduledStatusShape>;
