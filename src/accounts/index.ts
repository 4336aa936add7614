export { AccountCounters, type AccountCounter } from './counters/account-counters.js';
export {
  Account,
  type AccountField,
  AccountStats,
  ActorKey,
  type NotificationSettings,
  User,
} from './model/account.entities.js';
export { knownAccountsOf, KNOWN_SERVERS } from './model/known-servers.sql.js';
export { isHostApart, isOfServer, serverNames, serverNamesOf } from './model/server-names.js';
export {
  answersTo,
  feedOf,
  NEW_NAMES,
  notificationsOf,
  PUBLIC_POSTS,
  relationsOf,
  RENAMES,
  statusesOf,
  subjectsOfAccounts,
  subjectsOfViewer,
} from './model/subjects.js';
export {
  blockPairs,
  blocks,
  blocksServerOf,
  eitherBlocks,
  hidesServerOf,
  isAccepted,
  isAcceptedLocal,
  isAcceptedRemote,
  isExpired,
  isFollowed,
  isPending,
  isUnexpired,
  mutePairs,
  ownBlockPairs,
  mutes,
  mutesNotifications,
  mutesThread,
  NEWEST_FOLLOWS,
  newestFollowees,
  viewersBlockingServers,
  viewersHiding,
  matchesFollowLanguages,
  wantsLanguageOf,
} from './model/relations.sql.js';
export {
  ADDRESSED_ONLY,
  DIRECT,
  FOLLOWERS_ONLY,
  FOR_FOLLOWERS,
  LIST,
  LOCAL_ONLY,
  ON_LOCAL_TIMELINE,
  ON_OTHER_STREAMS,
  OPEN_TO_USERS,
  PUBLIC,
  PUBLIC_OR_UNLISTED,
  Visibility,
  type VisibilityName,
  visibilityName,
} from './model/visibility-classes.js';
export { defaultAvatarUrl, mentionJson, type MentionJson, partialAccount } from './rendering/account.body.js';
export { type AccountCounts, type AccountRow, isActive, isProgram, mayReturn } from './model/account.rows.js';
export { COUNT_COLUMNS, IS_ACTIVE, WAITING_SIGN_UPS } from './model/account.sql.js';
export {
  type AccountJson,
  ACTOR_TYPES,
  DEFAULT_SCOPES,
  QUOTE_POLICIES,
  AccountShape,
  type CredentialAccountJson,
  CredentialAccountShape,
  type DefaultScope,
  type QuotePolicyName,
  UserinfoShape,
} from './model/account.shape.js';
export { ChatTokens } from './rendering/chat-tokens.js';
export { AccountView, type ListFields, type OwnOptions, type ViewContext } from './rendering/account.view.js';
export {
  AccountActivated,
  AccountCreated,
  AccountDeactivated,
  AccountDeleted,
  AccountMoved,
  AccountUpdated,
  Blocked,
  DomainBlocked,
  Followed,
  FollowRequested,
  Muted,
  ReblogsWanted,
  RolesChanged,
  Unblocked,
  Unfollowed,
  UserApproved,
  UserArrived,
  UserConfirmed,
  UserRejected,
  UserReturned,
  Scrobbled,
} from './model/accounts.events.js';
export { AccountDepartures, type DepartureNotifier } from './deletion/account-departures.port.js';
export { GHOST_ID } from './deletion/account-deletion.repository.js';
export { AccountDeletionService } from './deletion/account-deletion.service.js';
export { OwnedRowsRepository } from './deletion/owned-rows.repository.js';
export { isDeleted } from './model/relations.sql.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsService } from './core/accounts.service.js';
export { AccountNotesService } from './relationships/account-notes.service.js';
export { birthdayProblem, birthdayRules } from './profile/birthday.js';
export { BlocksService, type MuteOptions, type Term } from './relationships/blocks.service.js';
export {
  AccountCounterRepairService,
  type AccountDrift,
  repairInSlices,
  type RepairOptions,
} from './counters/counter-repair.service.js';
export { DomainBlocksService } from './relationships/domain-blocks.service.js';
export { EndorsementsService } from './relationships/endorsements.service.js';
export { type FamiliarFollowersJson, FamiliarFollowersShape } from './familiar/familiar.view.js';
export {
  ACCOUNT_FILTERS,
  type AccountFilter,
  type AccountSearch,
  type ModeratedAccount,
} from './moderation/moderated-account.repository.js';
export { type Credentials, ModeratedAccountsService } from './moderation/moderated-accounts.service.js';
export { DEEPENED_DAILY, FeedFloorRepository, isBeingDeepened, mayDeepen } from './users/feed-floor.repository.js';
export { FilterVersionRepository } from './users/filter-version.repository.js';
export type { FollowOptions } from './relationships/follow.repository.js';
export { FollowsService } from './relationships/follows.service.js';
export { RemoteInstance } from './remote-instances/remote-instance.entity.js';
export { List, ListMember, REPLIES_POLICIES, type RepliesPolicy } from './lists/list.entities.js';
export { exclusiveMembers, type ListRow } from './lists/list.repository.js';
export { type ListJson, ListShape } from './lists/list.shape.js';
export { ListChangesBody } from './lists/lists.dto.js';
export { ListsService } from './lists/lists.service.js';
export type { ListedUser } from './users/user-admission.repository.js';
export { UserAdmissionService } from './users/user-admission.service.js';
export { type NewUserOptions, requireEmail, UserRefused } from './users/new-user.js';
export { acctOf, type Handle, NICKNAME_PATTERN, parseHandle } from './model/nickname.js';
export { isLocal, LOCAL, type LocalOrigin, type Origin, type RemoteOrigin, uriOf } from './model/origin.js';
export { POST_LIMITING_TAGS, type PostingRestrictions, postingRestrictions } from './model/restrictions.js';
export { MovesService } from './core/moves.service.js';
export { UnreadConversations, type UnreadCounts, UnreadNotifications } from './rendering/owner-counters.port.js';
export { PlainTextFormatter } from './core/plain-text-formatter.js';
export { AccountPicturesService } from './profile/account-pictures.service.js';
export { PROFILE_FILES, UpdateCredentialsBody } from './profile/profile.dto.js';
export { type ProfileChanges, ProfileService } from './profile/profile.service.js';
export { AccountNote, Block, DomainBlock, Endorsement, Follow, Mute } from './model/relationship.entities.js';
export type { RelatedAccount } from './relationships/related.repository.js';
export { RelatedAccountsService } from './relationships/related.service.js';
export { SettingsStoreService } from './users/settings-store.service.js';
export { Scrobble } from './scrobbles/scrobble.entity.js';
export { ScrobblesService } from './scrobbles/scrobbles.service.js';
export { type RelationshipJson, RelationshipShape } from './model/relationship.shape.js';
export { RelationshipView } from './rendering/relationship.view.js';
export { type AccountResolver, RemoteAccounts, type ResolveOptions } from './core/remote-accounts.port.js';
export type { HiddenParts, RemotePicture, RemoteProfile } from './remote/remote-account.js';
export { RemoteAccountsService } from './remote/remote-accounts.service.js';
export { DismissedSuggestion, SuggestedAccount } from './model/suggestion.entities.js';
export { type SuggestionJson, SuggestionShape } from './discovery/suggestion.view.js';
export { DirectoryService } from './discovery/directory.service.js';
export { SuggestionsService } from './discovery/suggestions.service.js';
export {
  type LoginResult,
  type LoginState,
  type PostingDefaults,
  type UserFacts,
  UsersService,
} from './users/users.service.js';
export { isFindable, isFindableByName, isIdListed, isListed, mostExamined } from './discovery/discoverability.sql.js';
