import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described, Nullable } from '../../common/index.js';
import { AttachmentShape } from '../../media/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';

const closed = { additionalProperties: false } as const;
const Text = Nullable(Type.String());
const Flag = Nullable(Type.Boolean());
const Seconds = Nullable(Type.Integer());

/** A scheduled post (spec §2.3, reference ScheduledStatus). */
export const ScheduledStatusShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the scheduled post.'),
    scheduled_at: Described(DateTime, 'When it is published.'),
    params: Described(
      Type.Object(
        {
          text: Described(Type.String(), 'The text.'),
          media_ids: Described(Type.Array(DecimalId), 'The ids of the uploads.'),
          sensitive: Described(Flag, 'Whether the media are sensitive; null for the default.'),
          spoiler_text: Described(Text, 'The content warning; null for none.'),
          visibility: Described(Text, 'Who sees the post.'),
          scheduled_at: Described(DateTime, 'When it is published.'),
          in_reply_to_id: Described(Text, 'The id of the post that this one answers; null for none.'),
          poll: Described(
            Nullable(
              Type.Object(
                {
                  options: Described(Type.Array(Type.String()), 'The options to choose from.'),
                  expires_in: Described(Seconds, 'After how many seconds the poll ends.'),
                  multiple: Described(Type.Boolean(), 'Whether a vote may have several choices.'),
                  hide_totals: Described(Type.Boolean(), 'Whether the counts are hidden until the poll ends.'),
                },
                closed,
              ),
            ),
            'The poll; null for none.',
          ),
          language: Described(Text, 'The language; null for the default.'),
          idempotency: Described(Type.Null(), 'The key of the request: always null.'),
          application_id: Described(Nullable(DecimalId), 'The id of the app; null for none.'),
          expires_in: Described(Seconds, 'After how many seconds the post is deleted; null for never.'),
        },
        closed,
      ),
      'What the app sent.',
    ),
    media_attachments: Described(Type.Array(AttachmentShape), 'The media, in their order.'),
  },
  { ...closed, title: 'ScheduledStatus' },
);

/** The response to posting: the post, or the scheduled post. */
export const PostedOrScheduledShape = Type.Union([PlainStatusShape, ScheduledStatusShape]);

export type ScheduledStatusJson = Static<typeof ScheduledStatusShape>;
