import { Module } from '@nestjs/common';
import { MediaModule } from '../media/index.js';
import { AccountBodies } from './rendering/account-bodies.js';
import { AccountCounters } from './counters/account-counters.js';
import { AccountNoteRepository } from './relationships/account-note.repository.js';
import { AccountNotesService } from './relationships/account-notes.service.js';
import { AccountPicturesService } from './profile/account-pictures.service.js';
import { AccountStatsRepository } from './counters/account-stats.repository.js';
import { AccountRepository } from './model/account.repository.js';
import { AccountView } from './rendering/account.view.js';
import { ChatTokens } from './rendering/chat-tokens.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './core/accounts.service.js';
import { BirthdayRepository } from './core/birthday.repository.js';
import { AccountDeletionRepository } from './deletion/account-deletion.repository.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { OwnedRowsRepository } from './deletion/owned-rows.repository.js';
import { AutofollowsService } from './relationships/autofollows.service.js';
import { BirthdaysController } from './profile/birthdays.controller.js';
import { BlockRepository } from './relationships/block.repository.js';
import { BlocksService } from './relationships/blocks.service.js';
import { CounterRepairJobs } from './counters/counter-repair.jobs.js';
import { CounterRepairRepository } from './counters/counter-repair.repository.js';
import { AccountCounterRepairService } from './counters/counter-repair.service.js';
import { CredentialsController } from './profile/credentials.controller.js';
import { DefaultImagesController } from './profile/default-images.controller.js';
import { DirectoryRepository } from './discovery/directory.repository.js';
import { DirectoryService } from './discovery/directory.service.js';
import { DiscoveryController, SuggestionsController } from './discovery/discovery.controller.js';
import { DomainBlockRepository } from './relationships/domain-block.repository.js';
import { DomainBlocksService } from './relationships/domain-blocks.service.js';
import { EndorsementRepository } from './relationships/endorsement.repository.js';
import { EndorsementsService } from './relationships/endorsements.service.js';
import { RelationshipsJobs } from './relationships/relationships.jobs.js';
import { FamiliarRepository } from './familiar/familiar.repository.js';
import { FamiliarView } from './familiar/familiar.view.js';
import { FaviconsService } from './remote-instances/favicons.service.js';
import { FeedFloorRepository } from './users/feed-floor.repository.js';
import { FilterVersionRepository } from './users/filter-version.repository.js';
import { FollowRequestsController } from './relationships/follow-requests.controller.js';
import { FollowRepository } from './relationships/follow.repository.js';
import { FollowsController } from './relationships/follows.controller.js';
import { FollowsService } from './relationships/follows.service.js';
import { RemoteInstanceRepository } from './remote-instances/remote-instance.repository.js';
import { LinkVerificationService } from './profile/link-verification.service.js';
import { FileOwnerRepository } from './moderation/file-owner.repository.js';
import { FileOwnersService } from './moderation/file-owners.service.js';
import { LastAdminService } from './users/last-admin.service.js';
import { ModeratedAccountRepository } from './moderation/moderated-account.repository.js';
import { ModeratedAccountsService } from './moderation/moderated-accounts.service.js';
import { ListRepository } from './lists/list.repository.js';
import { ListView } from './lists/list.view.js';
import { AccountListsController, ListsController } from './lists/lists.controller.js';
import { ListsService } from './lists/lists.service.js';
import { MovesService } from './core/moves.service.js';
import { UnsupportedEndpointsController } from './unsupported-endpoints.controller.js';
import { UnreadConversations, UnreadNotifications } from './rendering/owner-counters.port.js';
import { OwnProfileController } from './profile/own-profile.controller.js';
import { PicturesController } from './profile/pictures.controller.js';
import { PreferencesController } from './users/preferences.controller.js';
import { PlainTextFormatter } from './core/plain-text-formatter.js';
import { ProfileText } from './users/profile-text.js';
import { ProfileService } from './profile/profile.service.js';
import { RelatedController } from './relationships/related.controller.js';
import { RelatedRepository } from './relationships/related.repository.js';
import { RelatedAccountsService } from './relationships/related.service.js';
import { RelationshipChanges } from './relationships/relationship-changes.js';
import { RelationshipRepository } from './model/relationship.repository.js';
import { RelationshipView } from './rendering/relationship.view.js';
import { RelationshipsController } from './relationships/relationships.controller.js';
import { ServerFollowsRepository } from './relationships/server-follows.repository.js';
import { RemoteAccountRepository } from './remote/remote-account.repository.js';
import { RemoteAccountsService } from './remote/remote-accounts.service.js';
import { AccountDepartures } from './deletion/account-departures.port.js';
import { RemoteAccounts } from './core/remote-accounts.port.js';
import { SettingsStoreController } from './users/settings-store.controller.js';
import { SettingsStoreService } from './users/settings-store.service.js';
import { SuggestionRepository } from './discovery/suggestion.repository.js';
import { SuggestionView } from './discovery/suggestion.view.js';
import { SuggestionsService } from './discovery/suggestions.service.js';
import { SvcAccountsController } from './svc-accounts.controller.js';
import { ScrobbleRepository } from './scrobbles/scrobble.repository.js';
import { ScrobbleView } from './scrobbles/scrobble.view.js';
import { ScrobblesController } from './scrobbles/scrobbles.controller.js';
import { ScrobblesService } from './scrobbles/scrobbles.service.js';
import { ArrivalsService } from './users/arrivals.service.js';
import { UserAdmissionRepository } from './users/user-admission.repository.js';
import { UserAdmissionService } from './users/user-admission.service.js';
import { UserRepository } from './users/user.repository.js';
import { UsersService } from './users/users.service.js';

const repositories = [
  AccountDeletionRepository,
  AccountNoteRepository,
  AccountRepository,
  AccountStatsRepository,
  BirthdayRepository,
  BlockRepository,
  CounterRepairRepository,
  DirectoryRepository,
  DomainBlockRepository,
  EndorsementRepository,
  FamiliarRepository,
  FileOwnerRepository,
  FollowRepository,
  RemoteAccountRepository,
  RemoteInstanceRepository,
  ListRepository,
  ModeratedAccountRepository,
  RelatedRepository,
  RelationshipRepository,
  SuggestionRepository,
  ScrobbleRepository,
  ServerFollowsRepository,
  UserAdmissionRepository,
  UserRepository,
];

const offered = [
  AccountCounterRepairService,
  AccountCounters,
  AccountDeletionService,
  OwnedRowsRepository,
  AccountNotesService,
  AccountPicturesService,
  AccountsService,
  AccountView,
  BlocksService,
  ChatTokens,
  DirectoryService,
  DomainBlocksService,
  EndorsementsService,
  FeedFloorRepository,
  FilterVersionRepository,
  FollowsService,
  ListsService,
  SettingsStoreService,
  ModeratedAccountsService,
  MovesService,
  UnreadConversations,
  UnreadNotifications,
  PlainTextFormatter,
  ProfileService,
  RelatedAccountsService,
  RelationshipView,
  AccountDepartures,
  RemoteAccounts,
  RemoteAccountsService,
  ScrobblesService,
  SuggestionsService,
  UserAdmissionService,
  UsersService,
];

/** Accounts, users and relationships. Controllers with literal paths stand before those with parameters. */
@Module({
  imports: [MediaModule],
  controllers: [
    CredentialsController,
    OwnProfileController,
    PicturesController,
    BirthdaysController,
    UnsupportedEndpointsController,
    PreferencesController,
    SettingsStoreController,
    AccountsController,
    RelationshipsController,
    FollowsController,
    AccountListsController,
    ListsController,
    FollowRequestsController,
    RelatedController,
    DiscoveryController,
    SuggestionsController,
    SvcAccountsController,
    DefaultImagesController,
    ScrobblesController,
  ],
  providers: [
    ...repositories,
    ...offered,
    AccountBodies,
    ArrivalsService,
    CounterRepairJobs,
    RelationshipsJobs,
    AutofollowsService,
    FaviconsService,
    LastAdminService,
    LinkVerificationService,
    ListView,
    ProfileText,
    FamiliarView,
    FileOwnersService,
    RelationshipChanges,
    SuggestionView,
    ScrobbleView,
  ],
  exports: offered,
})
export class AccountsModule {}
