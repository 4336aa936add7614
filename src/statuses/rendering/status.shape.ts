import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, DecimalId, FlakeId, Nullable } from '../../common/index.js';
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
const PlainText = Type.Object({ 'text/plain': Type.String() }, closed);
const VisibilityShape = Type.Enum(Object.keys(Visibility) as VisibilityName[]);

const Mention = Type.Object({ id: FlakeId, username: Type.String(), acct: Type.String(), url: Url }, closed);
const Tag = Type.Object({ name: Type.String(), url: Url }, closed);
const Application = Type.Object({ name: Type.String(), website: Nullable(Url) }, closed);

const Quoters = Type.Array(Type.Enum(['public', 'followers', 'unsupported_policy']));
/** Who may quote a post, and whether the viewer may (reference QuoteApproval). */
const QuoteApprovalShape = Type.Object(
  { automatic: Quoters, manual: Quoters, current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']) },
  { ...closed, title: 'QuoteApproval' },
);

/** The members that posts and boosts have in common. */
const entry = {
  id: FlakeId,
  uri: Url,
  url: Url,
  created_at: DateTime,
  edited_at: Nullable(DateTime),
  account: AccountShape,
  in_reply_to_id: Nullable(FlakeId),
  in_reply_to_account_id: Nullable(FlakeId),
  content: Type.String(),
  text: Nullable(Type.String()),
  spoiler_text: Type.String(),
  sensitive: Type.Boolean(),
  visibility: VisibilityShape,
  language: Nullable(Type.String()),
  application: Nullable(Application),
  media_attachments: Type.Array(AttachmentShape),
  mentions: Type.Array(Mention),
  tags: Type.Array(Tag),
  /** Collections do not exist here. */
  tagged_collections: Type.Array(Type.Never(), { maxItems: 0 }),
  emojis: Type.Array(EmojiShape),
  card: Nullable(PreviewCardShape),
  poll: Nullable(PollShape),
  replies_count: Count,
  reblogs_count: Count,
  favourites_count: Count,
  quotes_count: Count,
  favourited: Type.Boolean(),
  reblogged: Type.Boolean(),
  bookmarked: Type.Boolean(),
  muted: Type.Boolean(),
  pinned: Type.Boolean(),
  filtered: Type.Array(FilterResultShape),
  /** As in `svc`; empty on a boost. Some apps read them here. */
  emoji_reactions: Type.Array(ReactionCountShape),
  quote_id: Nullable(FlakeId),
  quote_approval: QuoteApprovalShape,
};

const ownerFields = { pinned_at: Nullable(DateTime), bookmark_folder: Nullable(FlakeId) };

const extension = {
  ...ownerFields,
  local: Type.Boolean(),
  conversation_id: Nullable(DecimalId),
  context: Nullable(Url),
  direct_conversation_id: Nullable(DecimalId),
  in_reply_to_account_acct: Nullable(Type.String()),
  content: PlainText,
  spoiler_text: PlainText,
  expires_at: Nullable(DateTime),
  thread_muted: Type.Boolean(),
  emoji_reactions: Type.Array(ReactionCountShape),
  parent_visible: Type.Boolean(),
  list_id: Nullable(DecimalId),
  quotes_count: Count,
  quote_id: Nullable(FlakeId),
  quote_url: Nullable(Url),
  quote_visible: Type.Boolean(),
  /** Present together with `text`, for a post that was just deleted. */
  content_type: Type.Optional(Type.String()),
};

const QuoteState = Type.Enum(['accepted', 'pending', 'rejected', 'deleted', 'unauthorized']);
/** What a quoted post quotes (reference ShallowQuote). */
const ShallowQuoteShape = Type.Object({ state: QuoteState, quoted_status_id: FlakeId }, closed);

/** A quoted post. Of its own quote it has only the id. */
const QuotedStatusShape = Type.Object(
  {
    ...entry,
    quote: Nullable(ShallowQuoteShape),
    reblog: Type.Null(),
    svc: Type.Object({ ...extension, quote: Type.Null() }, closed),
  },
  { ...closed, title: 'QuotedPost' },
);

/** What a post quotes; the quoted post is there when the viewer may see it (reference Quote). */
const QuoteShape = Type.Object({ state: QuoteState, quoted_status: Nullable(QuotedStatusShape) }, closed);

/** A post (spec §2.3, reference Status). */
export const PlainStatusShape = Type.Object(
  {
    ...entry,
    quote: Nullable(QuoteShape),
    reblog: Type.Null(),
    svc: Type.Object({ ...extension, quote: Nullable(QuotedStatusShape) }, closed),
  },
  { ...closed, title: 'Post' },
);

/** A boost: `reblog` is the boosted post. */
export const ReblogShape = Type.Object(
  {
    ...entry,
    quote: Type.Null(),
    reblog: PlainStatusShape,
    svc: Type.Object({ ...ownerFields, local: Type.Boolean() }, closed),
  },
  { ...closed, title: 'Boost' },
);

/** An entry of a list of statuses. */
export const StatusShape = Type.Union([PlainStatusShape, ReblogShape], { title: 'Status' });

/** The source text of a post (spec §2.3, reference StatusSource). */
export const StatusSourceShape = Type.Object(
  { id: FlakeId, text: Type.String(), spoiler_text: Type.String(), content_type: Type.String() },
  { ...closed, title: 'StatusSource' },
);

export type PlainStatusJson = Static<typeof PlainStatusShape>;
export type ReblogJson = Static<typeof ReblogShape>;
export type StatusJson = Static<typeof StatusShape>;
export type StatusSourceJson = Static<typeof StatusSourceShape>;

/** The thread of a post (reference Context). Threads contain no boosts. */
export const ContextShape = Type.Object(
  { ancestors: Type.Array(PlainStatusShape), descendants: Type.Array(PlainStatusShape) },
  { additionalProperties: false, title: 'Context' },
);

export type ContextJson = Static<typeof ContextShape>;
