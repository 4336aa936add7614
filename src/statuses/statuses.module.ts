import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { AccountsModule } from '../accounts/index.js';
import { CommonModule } from '../common/index.js';
import { ConfigModule } from '../config/index.js';
import { MediaModule } from '../media/index.js';
import { OauthModule } from '../oauth/index.js';
import { AuthorFeed } from './compose/author-feed.port.js';
import { BookmarkRepository } from './bookmarks/bookmark.repository.js';
import {
  BookmarkFoldersController,
  BookmarksController,
  StatusBookmarksController,
} from './bookmarks/bookmarks.controller.js';
import { BookmarksService } from './bookmarks/bookmarks.service.js';
import { PreviewCardController } from './cards/preview-card.controller.js';
import { PreviewCardRepository } from './cards/preview-card.repository.js';
import { PreviewCardView } from './cards/preview-card.view.js';
import { PreviewCardsService } from './cards/preview-cards.service.js';
import { ComposeRepository } from './compose/compose.repository.js';
import { StatusPreviewView } from './compose/status-preview.view.js';
import { StatusPolicies } from './compose/status-policies.port.js';
import { ComposeService } from './compose/compose.service.js';
import { ConversationRepository } from './conversations/conversation.repository.js';
import { ConversationView } from './conversations/conversation.view.js';
import { ConversationsController, SvcConversationsController } from './conversations/conversations.controller.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { StatusCounterRepairJobs } from './counters/counter-repair.jobs.js';
import { StatusCounterRepairRepository } from './counters/counter-repair.repository.js';
import { StatusCounterRepairService } from './counters/counter-repair.service.js';
import { StatusRecountRepository } from './counters/recount.repository.js';
import { StatusRecountService } from './counters/recount.service.js';
import { DraftsService } from './compose/drafts.service.js';
import { AccountFavouritesController, FavouritesController } from './interactions/favourites.controller.js';
import { StatusErasureRepository } from './erasure/status-erasure.repository.js';
import { StatusErasureService } from './erasure/status-erasure.service.js';
import { HiddenStatusesService } from './rendering/hidden-statuses.service.js';
import { EditRepository } from './edits/edit.repository.js';
import { EditView } from './edits/edit.view.js';
import { EditsController } from './edits/edits.controller.js';
import { EditsService } from './edits/edits.service.js';
import { IdClockGuard } from './core/id-clock-guard.js';
import { GradualRemovalRepository } from './core/gradual-removal.repository.js';
import { GradualRemovalService } from './core/gradual-removal.service.js';
import { ForgottenStatusRepository } from './erasure/forgotten-status.repository.js';
import { RemovedStatuses } from './counters/removed-statuses.js';
import { ForgottenStatusesService } from './erasure/forgotten-statuses.service.js';
import { GroupReblogsRepository } from './interactions/group-reblogs.repository.js';
import { GroupReblogsService } from './interactions/group-reblogs.service.js';
import { InteractionsController } from './interactions/interactions.controller.js';
import { InteractionsRepository } from './interactions/interactions.repository.js';
import { InteractionsService } from './interactions/interactions.service.js';
import { PinsController } from './pins/pins.controller.js';
import { ThreadMutesController } from './interactions/thread-mutes.controller.js';
import { ModeratedStatusesRepository } from './moderation/moderated-statuses.repository.js';
import { ModeratedStatusesService } from './moderation/moderated-statuses.service.js';
import { StaffStatusesService } from './moderation/staff-statuses.service.js';
import { PinRepository } from './pins/pin.repository.js';
import { PinsService } from './pins/pins.service.js';
import { PollRepository } from './polls/poll.repository.js';
import { PollView } from './polls/poll.view.js';
import { PollsController } from './polls/polls.controller.js';
import { PollsService } from './polls/polls.service.js';
import { QuoteRepository } from './rendering/quote.repository.js';
import { QuotesController, StatusQuotesController } from './quotes/quotes.controller.js';
import { QuoteConsentController, QuoteRevocationController } from './quotes/quote-consent.controller.js';
import { QuoteConsentRepository } from './quotes/quote-consent.repository.js';
import { QuoteConsentService } from './quotes/quote-consent.service.js';
import { QuotesService } from './quotes/quotes.service.js';
import { ScheduledController } from './scheduled/scheduled.controller.js';
import { ScheduledRepository } from './scheduled/scheduled.repository.js';
import { ScheduledService } from './scheduled/scheduled.service.js';
import { ScheduledView } from './scheduled/scheduled.view.js';
import { ReactionRepository } from './reactions/reaction.repository.js';
import { ReactionsController } from './reactions/reactions.controller.js';
import { ReactionsService } from './reactions/reactions.service.js';
import { BatchConversationView } from './conversations/batch-conversation.view.js';
import { BatchStatusView } from './rendering/batch-status.view.js';
import { StatusBatchRepository } from './rendering/status-batch.repository.js';
import { StatusBodyCache } from './rendering/status-body.cache.js';
import { StatusTotals } from './counters/status-totals.js';
import { StatusTotalsRepository } from './counters/status-totals.repository.js';
import { StatusCounters } from './counters/status.counters.js';
import { RemoteStatusRepository } from './remote/remote-status.repository.js';
import { RemoteStatusesService } from './remote/remote-statuses.service.js';
import { RemoteStatusLookup } from './remote/remote-status-lookup.port.js';
import { StatusPrefetch } from './rendering/status.prefetch.js';
import { StatusWriter } from './compose/status.writer.js';
import { StatusRenderer } from './rendering/status.render.js';
import { StatusRepository } from './core/status.repository.js';
import { StatusView } from './rendering/status.view.js';
import { StatusCountersRepository } from './counters/status-counters.repository.js';
import { StatusViewRepository } from './rendering/status-view.repository.js';
import { StatusesController } from './statuses.controller.js';
import { StatusesService } from './core/statuses.service.js';
import { ThreadRepository } from './core/thread.repository.js';
import { ThreadsService } from './core/threads.service.js';
import { ThreadMuteRepository } from './conversations/thread-mute.repository.js';
import { ThreadMutesService } from './interactions/thread-mutes.service.js';
import { ViewerFilters } from './rendering/viewer-filters.port.js';

/** Posts and the actions on them. */
@Module({
  imports: [CommonModule, ConfigModule, MediaModule, AccountsModule, OauthModule, AccessModule],
  controllers: [
    StatusesController,
    InteractionsController,
    StatusBookmarksController,
    PinsController,
    ThreadMutesController,
    ReactionsController,
    FavouritesController,
    AccountFavouritesController,
    BookmarksController,
    PreviewCardController,
    BookmarkFoldersController,
    ConversationsController,
    SvcConversationsController,
    EditsController,
    PollsController,
    QuotesController,
    StatusQuotesController,
    QuoteConsentController,
    QuoteRevocationController,
    ScheduledController,
  ],
  providers: [
    AuthorFeed,
    BookmarkRepository,
    BookmarksService,
    PreviewCardRepository,
    PreviewCardsService,
    PreviewCardView,
    ComposeRepository,
    ComposeService,
    ConversationRepository,
    ConversationsService,
    ConversationView,
    DraftsService,
    EditRepository,
    EditsService,
    EditView,
    ForgottenStatusesService,
    ForgottenStatusRepository,
    RemovedStatuses,
    GradualRemovalRepository,
    GradualRemovalService,
    GroupReblogsRepository,
    GroupReblogsService,
    HiddenStatusesService,
    IdClockGuard,
    InteractionsRepository,
    InteractionsService,
    ModeratedStatusesRepository,
    ModeratedStatusesService,
    StaffStatusesService,
    PinRepository,
    PinsService,
    StatusPolicies,
    ReactionRepository,
    ReactionsService,
    PollRepository,
    PollsService,
    PollView,
    QuoteRepository,
    QuotesService,
    QuoteConsentRepository,
    QuoteConsentService,
    RemoteStatusRepository,
    RemoteStatusesService,
    RemoteStatusLookup,
    ScheduledRepository,
    ScheduledService,
    ScheduledView,
    BatchConversationView,
    BatchStatusView,
    StatusBatchRepository,
    StatusBodyCache,
    StatusCounterRepairService,
    StatusCounterRepairJobs,
    StatusCounterRepairRepository,
    StatusCounters,
    StatusCountersRepository,
    StatusErasureRepository,
    StatusErasureService,
    StatusesService,
    StatusPrefetch,
    StatusWriter,
    StatusRenderer,
    StatusRepository,
    StatusRecountRepository,
    StatusRecountService,
    StatusTotals,
    StatusTotalsRepository,
    StatusView,
    StatusPreviewView,
    StatusViewRepository,
    ThreadMuteRepository,
    ThreadMutesService,
    ThreadRepository,
    ThreadsService,
    ViewerFilters,
  ],
  exports: [
    AuthorFeed,
    BookmarksService,
    ThreadMutesService,
    ComposeService,
    ConversationsService,
    ConversationView,
    EditsService,
    ForgottenStatusesService,
    HiddenStatusesService,
    InteractionsService,
    ModeratedStatusesService,
    StaffStatusesService,
    PinsService,
    PollsService,
    StatusPolicies,
    QuoteConsentService,
    ReactionsService,
    RemoteStatusesService,
    RemoteStatusLookup,
    BatchConversationView,
    BatchStatusView,
    StatusBodyCache,
    StatusCounterRepairService,
    StatusesService,
    ScheduledService,
    ScheduledView,
    StatusPreviewView,
    StatusTotals,
    StatusView,
    ThreadsService,
    ViewerFilters,
  ],
})
export class StatusesModule {}
