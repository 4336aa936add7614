import { type Static, Type } from 'typebox';
import { DateTime, FlakeId, Nullable } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';

const closed = { additionalProperties: false } as const;

/** A reaction to an announcement; `me` is absent without a viewer. Only custom emoji have addresses. */
export const AnnouncementReactionShape = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer({ minimum: 1 }),
    me: Type.Optional(Type.Boolean()),
    url: Type.Optional(Type.String()),
    static_url: Type.Optional(Type.String()),
  },
  { ...closed, title: 'AnnouncementReaction' },
);

/** An announcement (spec §2.6); `read` is absent without a viewer. */
export const AnnouncementShape = Type.Object(
  {
    id: FlakeId,
    content: Type.String(),
    starts_at: Nullable(DateTime),
    ends_at: Nullable(DateTime),
    all_day: Type.Boolean(),
    published_at: DateTime,
    updated_at: DateTime,
    published: Type.Literal(true),
    read: Type.Optional(Type.Boolean()),
    mentions: Type.Array(
      Type.Object({ id: FlakeId, username: Type.String(), url: Type.String(), acct: Type.String() }, closed),
    ),
    statuses: Type.Array(Type.Object({ id: FlakeId, url: Type.String() }, closed)),
    tags: Type.Array(Type.Object({ name: Type.String(), url: Type.String() }, closed)),
    emojis: Type.Array(EmojiShape),
    reactions: Type.Array(AnnouncementReactionShape),
    svc: Type.Object({ raw_content: Type.String() }, closed),
  },
  { ...closed, title: 'Announcement' },
);

export const AnnouncementsShape = Type.Array(AnnouncementShape);

export type AnnouncementJson = Static<typeof AnnouncementShape>;
export type AnnouncementReactionJson = Static<typeof AnnouncementReactionShape>;
