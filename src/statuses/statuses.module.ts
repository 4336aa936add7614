import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { CommonModule } from '../common/index.js';
import { ConfigModule } from '../config/index.js';
import { MediaModule } from '../media/index.js';
import { OauthModule } from '../oauth/index.js';
import { AttachmentsSubscriber } from './attachments.subscriber.js';
import { AuthorFeed } from './author-feed.port.js';
import { Bookmark, BookmarkFolder, Pin } from './bookmark.entities.js';
import { BookmarkRepository } from './bookmark.repository.js';
import { BookmarkFoldersController, BookmarksController } from './bookmarks.controller.js';
import { BookmarksService } from './bookmarks.service.js';
import { CardController } from './card.controller.js';
import { Card, StatusCard } from './card.entities.js';
import { CardRepository } from './card.repository.js';
import { CardView } from './card.view.js';
import { CardsService } from './cards.service.js';
import { CardsSubscriber } from './cards.subscriber.js';
import { ComposeRepository } from './compose.repository.js';
import { ComposeService } from './compose.service.js';
import { ConversationRepository } from './conversation.repository.js';
import { ConversationView } from './conversation.view.js';
import { ConversationsController, SvcConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { StatusCounterRepairJob } from './counter-repair.job.js';
import { StatusCounterRepairRepository } from './counter-repair.repository.js';
import { StatusCounterRepair } from './counter-repair.service.js';
import { DraftsService } from './drafts.service.js';
import { AccountFavouritesController, FavouritesController } from './favourites.controller.js';
import { StatusErasureJobs } from './erasure/status-erasure.jobs.js';
import { StatusErasureRepository } from './erasure/status-erasure.repository.js';
import { StatusErasureService } from './erasure/status-erasure.service.js';
import { HiddenStatuses } from './hidden-statuses.service.js';
import { StatusEdit } from './edit.entity.js';
import { EditRepository } from './edit.repository.js';
import { EditView } from './edit.view.js';
import { EditsController } from './edits.controller.js';
import { EditsService } from './edits.service.js';
import { Favourite } from './interaction.entities.js';
import { IdContinuity } from './id-continuity.js';
import { InteractionsController } from './interactions.controller.js';
import { InteractionsRepository } from './interactions.repository.js';
import { InteractionsService } from './interactions.service.js';
import { KeepingController } from './keeping.controller.js';
import { PinRepository } from './pin.repository.js';
import { PinsService } from './pins.service.js';
import { Poll, PollOption, PollVote } from './poll.entities.js';
import { PollRepository } from './poll.repository.js';
import { PollView } from './poll.view.js';
import { PollsController } from './polls.controller.js';
import { PollsService } from './polls.service.js';
import { QuoteRepository } from './quote.repository.js';
import { QuotesController, StatusQuotesController } from './quotes.controller.js';
import { QuotesService } from './quotes.service.js';
import { ScheduledController } from './scheduled.controller.js';
import { ScheduledStatus } from './scheduled.entity.js';
import { ScheduledRepository } from './scheduled.repository.js';
import { ScheduledService } from './scheduled.service.js';
import { ScheduledView } from './scheduled.view.js';
import { Reaction } from './reaction.entity.js';
import { ReactionRepository } from './reaction.repository.js';
import { ReactionsController } from './reactions.controller.js';
import { ReactionsService } from './reactions.service.js';
import { SharedConversationView } from './shared-conversation.view.js';
import { SharedStatusView } from './shared-status.view.js';
import { ShowingRepository } from './showing.repository.js';
import { StatusBodies } from './status.bodies.js';
import { StatusCounters } from './status.counters.js';
import { Hashtag, Mention, Status, StatusHashtag, StatusStats, Tombstone } from './status.entities.js';
import { StatusJobs } from './status.jobs.js';
import { StatusPrefetch } from './status.prefetch.js';
import { StatusPublisher } from './status.publisher.js';
import { StatusRenderer } from './status.render.js';
import { StatusRepository } from './status.repository.js';
import { StatusView } from './status.view.js';
import { StatusCountersRepository } from './status-counters.repository.js';
import { StatusViewRepository } from './status-view.repository.js';
import { StatusesController } from './statuses.controller.js';
import { StatusesService } from './statuses.service.js';
import { Conversation, ConversationParticipant, ThreadMute } from './thread.entities.js';
import { ThreadMuteRepository } from './thread-mute.repository.js';
import { ThreadMutesService } from './thread-mutes.service.js';
import { ViewerFilters } from './viewer-filters.port.js';

const ENTITIES = [
  Card,
  StatusCard,
  StatusEdit,
  ScheduledStatus,
  Poll,
  PollOption,
  PollVote,
  Conversation,
  ConversationParticipant,
  Status,
  StatusStats,
  Mention,
  Hashtag,
  StatusHashtag,
  Favourite,
  Bookmark,
  BookmarkFolder,
  Pin,
  Reaction,
  ThreadMute,
  Tombstone,
];

/** Posts, and what is done to them. */
@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), CommonModule, ConfigModule, MediaModule, AccountsModule, OauthModule],
  controllers: [
    StatusesController,
    InteractionsController,
    KeepingController,
    ReactionsController,
    FavouritesController,
    AccountFavouritesController,
    BookmarksController,
    CardController,
    BookmarkFoldersController,
    ConversationsController,
    SvcConversationsController,
    EditsController,
    PollsController,
    QuotesController,
    StatusQuotesController,
    ScheduledController,
  ],
  providers: [
    AttachmentsSubscriber,
    AuthorFeed,
    BookmarkRepository,
    BookmarksService,
    CardRepository,
    CardsService,
    CardsSubscriber,
    CardView,
    ComposeRepository,
    ComposeService,
    ConversationRepository,
    ConversationsService,
    ConversationView,
    DraftsService,
    EditRepository,
    EditsService,
    EditView,
    HiddenStatuses,
    IdContinuity,
    InteractionsRepository,
    InteractionsService,
    PinRepository,
    PinsService,
    ReactionRepository,
    ReactionsService,
    PollRepository,
    PollsService,
    PollView,
    QuoteRepository,
    QuotesService,
    ScheduledRepository,
    ScheduledService,
    ScheduledView,
    SharedConversationView,
    SharedStatusView,
    ShowingRepository,
    StatusBodies,
    StatusCounterRepair,
    StatusCounterRepairJob,
    StatusCounterRepairRepository,
    StatusCounters,
    StatusCountersRepository,
    StatusErasureJobs,
    StatusErasureRepository,
    StatusErasureService,
    StatusesService,
    StatusJobs,
    StatusPrefetch,
    StatusPublisher,
    StatusRenderer,
    StatusRepository,
    StatusView,
    StatusViewRepository,
    ThreadMuteRepository,
    ThreadMutesService,
    ViewerFilters,
  ],
  exports: [
    AuthorFeed,
    ComposeService,
    ConversationsService,
    ConversationView,
    HiddenStatuses,
    InteractionsService,
    PinsService,
    SharedConversationView,
    SharedStatusView,
    StatusBodies,
    StatusCounterRepair,
    StatusesService,
    StatusView,
    ViewerFilters,
  ],
})
export class StatusesModule {}
