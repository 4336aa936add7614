export { AuthorFeed, type AuthorFeedRows } from './compose/author-feed.port.js';
export { Bookmark, BookmarkFolder, Pin } from './model/bookmark.entities.js';
export { BookmarksService } from './bookmarks/bookmarks.service.js';
export { type BookmarkFolderJson, BookmarkFolderShape } from './bookmarks/bookmark.shape.js';
export { PreviewCard, StatusCard } from './model/preview-card.entities.js';
export { type PreviewCardJson, PreviewCardShape } from './rendering/preview-card.shape.js';
export { PreviewCardsService } from './cards/preview-cards.service.js';
export { ComposeService, type Composed } from './compose/compose.service.js';
export { StatusCounterRepairService } from './counters/counter-repair.service.js';
export { type ConversationJson, ConversationShape } from './conversations/conversation.shape.js';
export { ConversationsService } from './conversations/conversations.service.js';
export {
  type ContextJson,
  ContextShape,
  type ReblogJson,
  ReblogShape,
  type PlainStatusJson,
  PlainStatusShape,
  type StatusJson,
  StatusShape,
  type StatusSourceJson,
  StatusSourceShape,
} from './rendering/status.shape.js';
export type { ComposeOptions } from './compose/draft.js';
export {
  FILTER_ACTIONS,
  FILTER_PLACES,
  type FilterAction,
  filterMembers,
  type FilterPlace,
  type FilterResultJson,
} from './rendering/filter.shape.js';
export { HiddenStatusesService } from './rendering/hidden-statuses.service.js';
export { StatusTotal } from './counters/status-total.entity.js';
export { StatusTotals } from './counters/status-totals.js';
export { StatusEdit } from './model/edit.entity.js';
export { type StatusEditJson, StatusEditShape } from './edits/edit.shape.js';
export { Favourite } from './model/favourite.entity.js';
export { ThreadMutesService } from './interactions/thread-mutes.service.js';
export { InteractionsService } from './interactions/interactions.service.js';
export type { GivenRow } from './interactions/interactions.repository.js';
export {
  blockedAccounts,
  matchesExcludedReplies,
  hiddenAccounts,
  endedQuoteUri,
  isAnswer,
  isThreadNotMuted,
  isThreadVisible,
  isOfNoBlockedDomain,
  isOutsideBlockedDomains,
  isNotHidden,
  matchesMedia,
  mentionsNoHidden,
  matchesOrigin,
  PAGE_KEYS,
  type PageRow,
  statusesAbove,
  subjectsOfPage,
  Replies,
  matchesReplies,
  selectPage,
  matchesTag,
  matchesVisibility,
} from './model/page.sql.js';
export { isNotRemoved } from './model/popular.sql.js';
export { type ModeratedChanges, ModeratedStatusesService } from './moderation/moderated-statuses.service.js';
export { StaffStatusesService } from './moderation/staff-statuses.service.js';
export { PollsService } from './polls/polls.service.js';
export { ReactionsService, type RemoteEmoji } from './reactions/reactions.service.js';
export { EditStatusBody } from './edits/edits.dto.js';
export { EditsService } from './edits/edits.service.js';
export { ForgottenStatusesService } from './erasure/forgotten-statuses.service.js';
export type { FormerVersion } from './edits/edit.repository.js';
export type { EditResult, RemotePoll, RemoteStatus } from './remote/remote-status.js';
export { RemoteStatusesService } from './remote/remote-statuses.service.js';
export { RemoteStatusLookup, type StatusResolver } from './remote/remote-status-lookup.port.js';
export { QuotePolicy, quotePolicyOf, QUOTES_ASKED } from './model/quote-policy.js';
export type { QuotingRow } from './quotes/quote-consent.repository.js';
export { QuoteConsentService } from './quotes/quote-consent.service.js';
export { Reaction } from './model/reaction.entity.js';
export { PinsService } from './pins/pins.service.js';
export { Poll, PollOption, PollVote } from './model/poll.entities.js';
export { type PollJson, PollShape } from './rendering/poll.shape.js';
export { ScheduledStatus } from './scheduled/scheduled.entity.js';
export { ScheduledView } from './scheduled/scheduled.view.js';
export { ScheduledService } from './scheduled/scheduled.service.js';
export { type ScheduledStatusJson, ScheduledStatusShape } from './scheduled/scheduled.shape.js';
export { BatchConversationView } from './conversations/batch-conversation.view.js';
export type { ReblogVisibility, RemoteReblog, Written } from './compose/status.writer.js';
export { type SharedEntry, BatchStatusView } from './rendering/batch-status.view.js';
export type { StatusForViewer } from './rendering/status-batch.repository.js';
export { Hashtag, Mention, Status, StatusHashtag, StatusStats, Tombstone } from './model/status.entities.js';
export { linkedPage } from './model/page-card.js';
export { sourceOf } from './model/source.js';
export { isCountedReblog, isModerated, StatusFlag, wasPublic } from './model/status.flags.js';
export type { StatusRow } from './core/status.repository.js';
export { type StatusContext, StatusView } from './rendering/status.view.js';
export {
  PreviewCardChanged,
  Favourited,
  type FormerPlaces,
  PollClosed,
  PollReopened,
  PollOutdated,
  PollVoted,
  QuoteChanged,
  QuoteRevoked,
  Reacted,
  StatusAction,
  StatusCreated,
  ConversationChanged,
  StatusDeleted,
  StatusEdited,
  StatusNarrowed,
  StatusPinned,
  StatusUnpinned,
  Unfavourited,
  Unreacted,
} from './model/statuses.events.js';
export {
  type LocalStatusPolicies,
  textAsStatus,
  type PolicyStatus,
  StatusPolicies,
  type StoredStatus,
} from './compose/status-policies.port.js';
export { StatusesModule } from './statuses.module.js';
export { ComposeBody } from './statuses.dto.js';
export { PollBody, VoteBody } from './polls/polls.dto.js';
export { StatusPreviewView } from './compose/status-preview.view.js';
export { StatusesService } from './core/statuses.service.js';
export { ThreadsService } from './core/threads.service.js';
export { Conversation, ConversationParticipant, ThreadMute } from './model/conversation.entities.js';
export {
  type FilteredStatus,
  type FilterSet,
  type FilterSets,
  type FilterVerdict,
  UNFILTERED,
  ViewerFilters,
} from './rendering/viewer-filters.port.js';
export {
  ADDRESSED_ONLY,
  DIRECT,
  FOLLOWERS_ONLY,
  FOR_FOLLOWERS,
  isDeactivated,
  LIST,
  LOCAL_ONLY,
  maySee,
  ON_LOCAL_TIMELINE,
  ON_OTHER_STREAMS,
  OPEN_TO_USERS,
  PUBLIC,
  PUBLIC_OR_UNLISTED,
  Visibility,
  type VisibilityName,
  visibilityName,
} from './model/visibility.js';
