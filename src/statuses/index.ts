export { AuthorFeed, type AuthorFeedRows } from './author-feed.port.js';
export { Bookmark, BookmarkFolder, Pin } from './bookmark.entities.js';
export { type BookmarkFolderJson, BookmarkFolderShape } from './bookmark.shape.js';
export { Card, StatusCard } from './card.entities.js';
export { type CardJson, CardShape } from './card.shape.js';
export { CardsService } from './cards.service.js';
export { ComposeService, type Composed, type Origin } from './compose.service.js';
export { StatusCounterRepair } from './counter-repair.service.js';
export { type ConversationJson, ConversationShape } from './conversation.shape.js';
export { ConversationsService } from './conversations.service.js';
export { type ContextJson, ContextShape } from './context.shape.js';
export type { ComposeOptions } from './draft.js';
export {
  FILTER_ACTIONS,
  FILTER_PLACES,
  type FilterAction,
  filterMembers,
  type FilterPlace,
  type FilterResultJson,
} from './filter.shape.js';
export { HiddenStatuses } from './hidden-statuses.service.js';
export { StatusEdit } from './edit.entity.js';
export { type StatusEditJson, StatusEditShape } from './edit.shape.js';
export { Favourite } from './interaction.entities.js';
export { InteractionsService } from './interactions.service.js';
export {
  addressesNobodyHidden,
  blockedAccounts,
  containment,
  excludedRepliesSuit,
  gates,
  hiddenAccounts,
  isInHeardThread,
  isInOpenThread,
  isOfNoBlockedDomain,
  isOutsideBlockedDomains,
  isShown,
  mediaSuits,
  namedTag,
  originSuits,
  PAGE_KEYS,
  type PageRow,
  postsAbove,
  Replies,
  repliesSuit,
  selectPage,
  tagSuits,
  visibilitySuits,
} from './page.sql.js';
export { Reaction } from './reaction.entity.js';
export { PinsService } from './pins.service.js';
export { Poll, PollOption, PollVote } from './poll.entities.js';
export { type PollJson, PollShape } from './poll.shape.js';
export { ScheduledStatus } from './scheduled.entity.js';
export { ScheduledService } from './scheduled.service.js';
export { type ScheduledStatusJson, ScheduledStatusShape } from './scheduled.shape.js';
export { SharedConversationView } from './shared-conversation.view.js';
export { type SharedEntry, SharedStatusView } from './shared-status.view.js';
export type { Showing } from './showing.repository.js';
export { Hashtag, Mention, Status, StatusHashtag, StatusStats, Tombstone } from './status.entities.js';
export { StatusFlag } from './status.flags.js';
export type { StatusRow } from './status.repository.js';
export {
  type BoostJson,
  BoostShape,
  type PostJson,
  PostShape,
  type StatusJson,
  StatusShape,
  type StatusSourceJson,
  StatusSourceShape,
} from './status.shape.js';
export { noticeUrl } from './status.uris.js';
export { type StatusContext, StatusView } from './status.view.js';
export {
  CardShown,
  Favourited,
  PollClosed,
  PollVoted,
  Reacted,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  Unfavourited,
  Unreacted,
} from './statuses.events.js';
export { StatusesModule } from './statuses.module.js';
export { StatusesService } from './statuses.service.js';
export { Conversation, ConversationParticipant, ThreadMute } from './thread.entities.js';
export { unlessVanished } from './vanished.js';
export {
  type FilteredPost,
  type FilterSet,
  type FilterSets,
  type FilterVerdict,
  UNFILTERED,
  ViewerFilters,
} from './viewer-filters.port.js';
export { isDeactivated, isFollowed, maySee, Visibility, type VisibilityName } from './visibility.js';
