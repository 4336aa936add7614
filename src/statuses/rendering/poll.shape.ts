import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Nullable } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** A poll (spec §2.3, reference Poll). Fields about the viewer's vote are absent for anonymous callers. */
export const PollShape = Type.Object(
  {
    id: DecimalId,
    expires_at: Nullable(DateTime),
    expired: Type.Boolean(),
    multiple: Type.Boolean(),
    votes_count: Count,
    voters_count: Nullable(Count),
    options: Type.Array(Type.Object({ title: Type.String(), votes_count: Nullable(Count) }, closed)),
    emojis: Type.Array(EmojiShape),
    voted: Type.Optional(Type.Boolean()),
    own_votes: Type.Optional(Type.Array(Count)),
    svc: Type.Object({ non_anonymous: Type.Boolean() }, closed),
  },
  { ...closed, title: 'Poll' },
);

export type PollJson = Static<typeof PollShape>;
