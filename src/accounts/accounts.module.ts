import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../media/index.js';
import { AccountBodies } from './account-bodies.js';
import { AccountCounters } from './account-counters.js';
import { AccountNoteRepository } from './account-note.repository.js';
import { AccountNotes } from './account-notes.service.js';
import { AccountPictures } from './account-pictures.service.js';
import { AccountStatsRepository } from './account-stats.repository.js';
import { Account, AccountStats, ActorKey, User } from './account.entities.js';
import { AccountRepository } from './account.repository.js';
import { AccountView } from './account.view.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { BirthdayRepository } from './birthday.repository.js';
import { AccountDeletionJobs } from './deletion/account-deletion.jobs.js';
import { AccountDeletionRepository } from './deletion/account-deletion.repository.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { BirthdaysController } from './birthdays.controller.js';
import { BlockRepository } from './block.repository.js';
import { BlocksService } from './blocks.service.js';
import { CounterRepairJob } from './counter-repair.job.js';
import { CounterRepairRepository } from './counter-repair.repository.js';
import { AccountCounterRepair } from './counter-repair.service.js';
import { CredentialsController } from './credentials.controller.js';
import { DefaultImagesController } from './default-images.controller.js';
import { DirectoryRepository } from './directory.repository.js';
import { DirectoryService } from './directory.service.js';
import { DiscoveryController, SuggestionsController } from './discovery.controller.js';
import { DomainBlockRepository } from './domain-block.repository.js';
import { DomainBlocksService } from './domain-blocks.service.js';
import { EndorsementRepository } from './endorsement.repository.js';
import { EndorsementsService } from './endorsements.service.js';
import { ExpiryJob } from './expiry.job.js';
import { FamiliarRepository } from './familiar.repository.js';
import { FamiliarView } from './familiar.view.js';
import { FaviconsJob } from './favicons.job.js';
import { Favicons } from './favicons.service.js';
import { FeedFloorRepository } from './feed-floor.repository.js';
import { FeedFloors } from './feed-floors.service.js';
import { FilterVersionRepository } from './filter-version.repository.js';
import { FilterVersions } from './filter-versions.service.js';
import { FollowRequestsController } from './follow-requests.controller.js';
import { FollowRepository } from './follow.repository.js';
import { FollowsController } from './follows.controller.js';
import { FollowsService } from './follows.service.js';
import { HostFacts } from './host-facts.entity.js';
import { HostFactsRepository } from './host-facts.repository.js';
import { LinkVerificationJob } from './link-verification.job.js';
import { LinkVerification } from './link-verification.service.js';
import { List, ListMember } from './list.entities.js';
import { ListRepository } from './list.repository.js';
import { ListView } from './list.view.js';
import { AccountListsController, ListsController } from './lists.controller.js';
import { ListsService } from './lists.service.js';
import { MovesService } from './moves.service.js';
import { NotOfferedController } from './not-offered.controller.js';
import { OwnerCounters } from './owner-counters.port.js';
import { PicturesController } from './pictures.controller.js';
import { PreferencesController } from './preferences.controller.js';
import { ProfileText } from './profile-text.js';
import { ProfileService } from './profile.service.js';
import { RelatedController } from './related.controller.js';
import { RelatedRepository } from './related.repository.js';
import { RelatedAccounts } from './related.service.js';
import { RelationshipChanges } from './relationship-changes.js';
import { AccountNote, Block, DomainBlock, Endorsement, Follow, Mute } from './relationship.entities.js';
import { RelationshipRepository } from './relationship.repository.js';
import { RelationshipView } from './relationship.view.js';
import { RelationshipsController } from './relationships.controller.js';
import { RemoteAccounts } from './remote-accounts.port.js';
import { SettingsStoreController } from './settings-store.controller.js';
import { SettingsStore } from './settings-store.service.js';
import { DismissedSuggestion, SuggestedAccount } from './suggestion.entities.js';
import { SuggestionRepository } from './suggestion.repository.js';
import { SuggestionView } from './suggestion.view.js';
import { SuggestionsService } from './suggestions.service.js';
import { SvcAccountsController } from './svc-accounts.controller.js';
import { Scrobble } from './scrobble.entity.js';
import { ScrobbleRepository } from './scrobble.repository.js';
import { ScrobbleView } from './scrobble.view.js';
import { ScrobblesController } from './scrobbles.controller.js';
import { ScrobblesService } from './scrobbles.service.js';
import { UserAdmissionRepository } from './user-admission.repository.js';
import { UserAdmissionService } from './user-admission.service.js';
import { UserRepository } from './user.repository.js';
import { UsersService } from './users.service.js';

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
  FeedFloorRepository,
  FilterVersionRepository,
  FollowRepository,
  HostFactsRepository,
  ListRepository,
  RelatedRepository,
  RelationshipRepository,
  SuggestionRepository,
  ScrobbleRepository,
  UserAdmissionRepository,
  UserRepository,
];

const offered = [
  AccountCounterRepair,
  AccountCounters,
  AccountDeletionService,
  AccountNotes,
  AccountsService,
  AccountView,
  BlocksService,
  DirectoryService,
  DomainBlocksService,
  EndorsementsService,
  FeedFloors,
  FilterVersions,
  FollowsService,
  ListsService,
  MovesService,
  OwnerCounters,
  ProfileService,
  RelatedAccounts,
  RelationshipView,
  RemoteAccounts,
  SuggestionsService,
  UserAdmissionService,
  UsersService,
];

/** Who people are and how they relate. Controllers with literal paths stand before those with parameters. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Account,
      AccountStats,
      User,
      ActorKey,
      HostFacts,
      Follow,
      Block,
      Mute,
      Scrobble,
      DomainBlock,
      List,
      ListMember,
      AccountNote,
      Endorsement,
      SuggestedAccount,
      DismissedSuggestion,
    ]),
    MediaModule,
  ],
  controllers: [
    CredentialsController,
    PicturesController,
    BirthdaysController,
    NotOfferedController,
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
    AccountDeletionJobs,
    AccountPictures,
    CounterRepairJob,
    ExpiryJob,
    Favicons,
    FaviconsJob,
    LinkVerification,
    LinkVerificationJob,
    ListView,
    ProfileText,
    SettingsStore,
    FamiliarView,
    RelationshipChanges,
    SuggestionView,
    ScrobblesService,
    ScrobbleView,
  ],
  exports: offered,
})
export class AccountsModule {}
