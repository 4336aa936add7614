import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described, Nullable } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** A poll (spec §2.3, reference Poll). Fields about the viewer's vote are absent for anonymous callers. */
export const PollShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the poll.'),
    expires_at: Described(Nullable(DateTime), 'When the poll ends; null for never.'),
    expired: Described(Type.Boolean(), 'Whether the poll has ended.'),
    multiple: Described(Type.Boolean(), 'Whether a vote may have several choices.'),
    votes_count: Described(Count, 'The number of choices made.'),
    voters_count: Described(Nullable(Count), 'The number of accounts that voted; null if unknown.'),
    options: Described(
      Type.Array(
        Type.Object(
          {
            title: Described(Type.String(), 'The text of the option.'),
            votes_count: Described(Nullable(Count), 'How often the option was chosen; null while counts are hidden.'),
          },
          closed,
        ),
      ),
      'The options.',
    ),
    emojis: Described(Type.Array(EmojiShape), 'The custom emoji that the texts use.'),
    voted: Described(Type.Optional(Type.Boolean()), 'Whether the caller voted, or is the author.'),
    own_votes: Described(Type.Optional(Type.Array(Count)), "The positions of the caller's choices, from 0."),
    svc: Described(
      Type.Object({ non_anonymous: Described(Type.Boolean(), 'Whether the votes are public.') }, closed),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Poll' },
);

export type PollJson = Static<typeof PollShape>;
