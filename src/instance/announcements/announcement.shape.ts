import { type Static, Type } from 'typebox';
import { DateTime, Described, FlakeId, Nullable } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';

const closed = { additionalProperties: false } as const;

/** A reaction to an announcement; `me` is absent without a viewer. Only custom emoji have addresses. */
export const AnnouncementReactionShape = Type.Object(
  {
    name: Described(Type.String(), 'The emoji, or the name of a custom one.'),
    count: Described(Type.Integer({ minimum: 1 }), 'The number of accounts that reacted with it.'),
    me: Described(Type.Optional(Type.Boolean()), 'Whether the caller did.'),
    url: Described(Type.Optional(Type.String()), 'The address of a custom emoji.'),
    static_url: Described(Type.Optional(Type.String()), 'The address of a custom emoji without motion.'),
  },
  { ...closed, title: 'AnnouncementReaction' },
);

/** An announcement (spec §2.6); `read` is absent without a viewer. */
export const AnnouncementShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the announcement.'),
    content: Described(Type.String(), 'The text as HTML.'),
    starts_at: Described(Nullable(DateTime), 'When it begins; null for at once.'),
    ends_at: Described(Nullable(DateTime), 'When it ends; null for never.'),
    all_day: Described(Type.Boolean(), 'Whether the times name whole days.'),
    published_at: Described(DateTime, 'When it was published.'),
    updated_at: Described(DateTime, 'When it was last changed.'),
    published: Described(Type.Literal(true), 'Whether it is current.'),
    read: Described(Type.Optional(Type.Boolean()), 'Whether the caller has read it.'),
    mentions: Described(
      Type.Array(
        Type.Object(
          {
            id: Described(FlakeId, 'The id of the account.'),
            username: Described(Type.String(), 'The nickname, without a domain.'),
            url: Described(Type.String(), 'The address of the profile.'),
            acct: Described(Type.String(), 'The nickname, for other servers with `@` and the domain.'),
          },
          closed,
        ),
      ),
      'The accounts that the text mentions.',
    ),
    statuses: Described(
      Type.Array(
        Type.Object(
          {
            id: Described(FlakeId, 'The id of the post.'),
            url: Described(Type.String(), 'The address of the page of the post.'),
          },
          closed,
        ),
      ),
      'The posts that the text links to.',
    ),
    tags: Described(
      Type.Array(
        Type.Object(
          {
            name: Described(Type.String(), 'The hashtag, without `#`.'),
            url: Described(Type.String(), 'The address of its page.'),
          },
          closed,
        ),
      ),
      'The hashtags of the text.',
    ),
    emojis: Described(Type.Array(EmojiShape), 'The custom emoji that the texts use.'),
    reactions: Described(Type.Array(AnnouncementReactionShape), 'The reactions by emoji.'),
    svc: Described(
      Type.Object({ raw_content: Described(Type.String(), 'The text as it was typed.') }, closed),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Announcement' },
);

export const AnnouncementsShape = Type.Array(AnnouncementShape);

export type AnnouncementJson = Static<typeof AnnouncementShape>;
export type AnnouncementReactionJson = Static<typeof AnnouncementReactionShape>;
