import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, DecimalId, Described, FlakeId, Nullable } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';
import { AttachmentShape } from '../../media/index.js';
import { PreviewCardShape } from './preview-card.shape.js';
import { FilterResultShape } from './filter.shape.js';
import { PollShape } from './poll.shape.js';
import { ReactionCountShape } from './reaction.shape.js';
import { Visibility, type VisibilityName } from '../model/visibility.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });
const Count = Type.Integer({ minimum: 0 });
const PlainText = Type.Object({ 'text/plain': Described(Type.String(), 'The text without formatting.') }, closed);
const VisibilityShape = Type.Enum(Object.keys(Visibility) as VisibilityName[]);

const Mention = Type.Object(
  {
    id: Described(FlakeId, 'The id of the account.'),
    username: Described(Type.String(), 'The nickname, without a domain.'),
    acct: Described(Type.String(), 'The nickname, for other servers with the domain.'),
    url: Described(Url, 'The address of the profile.'),
  },
  closed,
);
const Tag = Type.Object(
  { name: Described(Type.String(), 'The hashtag, without `#`.'), url: Described(Url, 'The address of its page.') },
  closed,
);
const Application = Type.Object(
  {
    name: Described(Type.String(), 'The name of the app.'),
    website: Described(Nullable(Url), "The address of the app's own page; null for none."),
  },
  closed,
);

const Quoters = Type.Array(Type.Enum(['public', 'followers', 'unsupported_policy']));
/** Who may quote a post, and whether the viewer may (reference QuoteApproval). */
const QuoteApprovalShape = Type.Object(
  {
    automatic: Described(Quoters, 'Who may quote the post at once.'),
    manual: Described(Quoters, 'Whose quotes wait for the consent of the author.'),
    current_user: Described(
      Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
      'Whether the caller may quote the post.',
    ),
  },
  { ...closed, title: 'QuoteApproval' },
);

/** The members that posts and boosts have in common. */
const entry = {
  id: Described(FlakeId, 'The id of the entry.'),
  uri: Described(Url, 'The id of the post on the network.'),
  url: Described(Url, 'The address of the page of the post.'),
  created_at: Described(DateTime, 'When the post was published.'),
  edited_at: Described(Nullable(DateTime), 'When the post was last edited; null for never.'),
  account: Described(AccountShape, 'The author, or the account that reblogged.'),
  in_reply_to_id: Described(Nullable(FlakeId), 'The id of the post that this one answers; null for none.'),
  in_reply_to_account_id: Described(Nullable(FlakeId), 'The id of the account that this post answers; null for none.'),
  content: Described(Type.String(), 'The text as HTML.'),
  text: Described(
    Nullable(Type.String()),
    'The text as it was typed, only of a post that was just deleted; otherwise null.',
  ),
  spoiler_text: Described(Type.String(), 'The content warning; empty for none.'),
  sensitive: Described(Type.Boolean(), 'Whether apps hide the media until the reader opens them.'),
  visibility: Described(VisibilityShape, 'Who may see the post.'),
  language: Described(Nullable(Type.String()), 'The language, as a tag such as `en`; null if unknown.'),
  application: Described(Nullable(Application), 'The app that sent the post; null if it is not shown.'),
  media_attachments: Described(Type.Array(AttachmentShape), 'The media, in their order.'),
  mentions: Described(Type.Array(Mention), 'The accounts that the post mentions.'),
  tags: Described(Type.Array(Tag), 'The hashtags of the post.'),
  /** Collections do not exist here. */
  tagged_collections: Described(Type.Array(Type.Never(), { maxItems: 0 }), 'Collections: always none.'),
  emojis: Described(Type.Array(EmojiShape), 'The custom emoji of the text and of the warning.'),
  card: Described(Nullable(PreviewCardShape), 'The preview of a linked page; null for none.'),
  poll: Described(Nullable(PollShape), 'The poll; null for none.'),
  replies_count: Described(Count, 'The number of replies; 0 on a reblog.'),
  reblogs_count: Described(Count, 'The number of reblogs; 0 on a reblog.'),
  favourites_count: Described(Count, 'The number of favourites; 0 on a reblog.'),
  quotes_count: Described(Count, 'The number of quotes; 0 on a reblog.'),
  favourited: Described(Type.Boolean(), 'Whether the caller favourited the post.'),
  reblogged: Described(Type.Boolean(), 'Whether the caller reblogged the post.'),
  bookmarked: Described(Type.Boolean(), 'Whether the caller bookmarked the post.'),
  muted: Described(Type.Boolean(), 'Whether the caller mutes the thread or the author.'),
  pinned: Described(Type.Boolean(), 'Whether the author pinned the post to the profile.'),
  filtered: Described(Type.Array(FilterResultShape), 'The filters of the caller that match.'),
  /** As in `svc`; empty on a boost. Some apps read them here. */
  emoji_reactions: Described(Type.Array(ReactionCountShape), 'The reactions by emoji; none on a reblog.'),
  quote_id: Described(Nullable(FlakeId), 'The id of the quoted post; null for none.'),
  quote_approval: Described(QuoteApprovalShape, 'Who may quote the post.'),
};

const ownerFields = {
  pinned_at: Described(Nullable(DateTime), 'When the post was pinned; null if it is not.'),
  bookmark_folder: Described(Nullable(FlakeId), "The id of the folder of the caller's bookmark; null for none."),
};

const extension = {
  ...ownerFields,
  local: Described(Type.Boolean(), 'Whether the post is one of this server.'),
  conversation_id: Described(Nullable(DecimalId), 'The id of the thread.'),
  context: Described(Nullable(Url), 'The id of the thread on the network; null if unknown.'),
  direct_conversation_id: Described(
    Nullable(DecimalId),
    "The id of the caller's conversation, for direct messages; otherwise null.",
  ),
  in_reply_to_account_acct: Described(
    Nullable(Type.String()),
    'The nickname of the account that this post answers; null for none.',
  ),
  content: Described(PlainText, 'The text without formatting, by its format.'),
  spoiler_text: Described(PlainText, 'The content warning without formatting, by its format.'),
  expires_at: Described(Nullable(DateTime), 'When the post is deleted; null for never.'),
  thread_muted: Described(Type.Boolean(), 'Whether the caller mutes the thread.'),
  emoji_reactions: Described(Type.Array(ReactionCountShape), 'The reactions by emoji.'),
  parent_visible: Described(Type.Boolean(), 'Whether the caller may see the post that this one answers.'),
  list_id: Described(Nullable(DecimalId), 'The id of the list that the post is for; null for none.'),
  quotes_count: Described(Count, 'The number of quotes.'),
  quote_id: Described(Nullable(FlakeId), 'The id of the quoted post; null for none.'),
  quote_url: Described(Nullable(Url), 'The id of the quoted post on the network; null for none.'),
  quote_visible: Described(Type.Boolean(), 'Whether the caller may see the quoted post.'),
  /** Present together with `text`, for a post that was just deleted. */
  content_type: Described(Type.Optional(Type.String()), 'The format of `text`, only of a post that was just deleted.'),
};

const QuoteState = Type.Enum(['accepted', 'pending', 'rejected', 'deleted', 'unauthorized']);
/** What a quoted post quotes (reference ShallowQuote). */
const ShallowQuoteShape = Type.Object(
  {
    state: Described(QuoteState, 'The state of the quote.'),
    quoted_status_id: Described(FlakeId, 'The id of the quoted post.'),
  },
  closed,
);

/** A quoted post. Of its own quote it has only the id. */
const QuotedStatusShape = Type.Object(
  {
    ...entry,
    quote: Described(Nullable(ShallowQuoteShape), 'What the post quotes; null for nothing.'),
    reblog: Described(Type.Null(), 'Always null: this is no reblog.'),
    svc: Described(
      Type.Object(
        { ...extension, quote: Described(Type.Null(), 'Always null: quotes of quoted posts are not shown.') },
        closed,
      ),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'QuotedPost' },
);

/** What a post quotes; the quoted post is there when the viewer may see it (reference Quote). */
const QuoteShape = Type.Object(
  {
    state: Described(QuoteState, 'The state of the quote.'),
    quoted_status: Described(Nullable(QuotedStatusShape), 'The quoted post; null if the caller may not see it.'),
  },
  closed,
);

/** A post (spec §2.3, reference Status). */
export const PlainStatusShape = Type.Object(
  {
    ...entry,
    quote: Described(Nullable(QuoteShape), 'What the post quotes; null for nothing.'),
    reblog: Described(Type.Null(), 'Always null: this is no reblog.'),
    svc: Described(
      Type.Object(
        { ...extension, quote: Described(Nullable(QuotedStatusShape), 'The quoted post; null for none.') },
        closed,
      ),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Post' },
);

/** A boost: `reblog` is the boosted post. */
export const ReblogShape = Type.Object(
  {
    ...entry,
    quote: Described(Type.Null(), 'What the post quotes; null for nothing.'),
    reblog: Described(PlainStatusShape, 'The post that was reblogged.'),
    svc: Described(
      Type.Object(
        { ...ownerFields, local: Described(Type.Boolean(), 'Whether the reblog is one of this server.') },
        closed,
      ),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Boost' },
);

/** An entry of a list of statuses. */
export const StatusShape = Type.Union([PlainStatusShape, ReblogShape], { title: 'Status' });

/** The source text of a post (spec §2.3, reference StatusSource). */
export const StatusSourceShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the post.'),
    text: Described(Type.String(), 'The text as it was typed.'),
    spoiler_text: Described(Type.String(), 'The content warning as it was typed.'),
    content_type: Described(Type.String(), 'The format of the text.'),
  },
  { ...closed, title: 'StatusSource' },
);

export type PlainStatusJson = Static<typeof PlainStatusShape>;
export type ReblogJson = Static<typeof ReblogShape>;
export type StatusJson = Static<typeof StatusShape>;
export type StatusSourceJson = Static<typeof StatusSourceShape>;

/** The thread of a post (reference Context). Threads contain no boosts. */
export const ContextShape = Type.Object(
  {
    ancestors: Described(Type.Array(PlainStatusShape), 'The posts that lead to this one, the oldest first.'),
    descendants: Described(Type.Array(PlainStatusShape), 'The replies, each after the post it answers.'),
  },
  { additionalProperties: false, title: 'Context' },
);

export type ContextJson = Static<typeof ContextShape>;
