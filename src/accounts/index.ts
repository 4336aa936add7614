export { AccountCounters, type AccountCounter } from './account-counters.js';
export {
  Account,
  type AccountField,
  AccountStats,
  ActorKey,
  type NotificationSettings,
  User,
} from './account.entities.js';
export { defaultAvatarUrl } from './account.body.js';
export { type AccountCounts, type AccountRow, COUNT_COLUMNS, IS_ACTIVE, isActive } from './account.rows.js';
export {
  type AccountJson,
  AccountShape,
  type CredentialAccountJson,
  CredentialAccountShape,
  type DefaultScope,
} from './account.shape.js';
export { AccountView, type ListFields, type OwnOptions, type ViewContext } from './account.view.js';
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
  RolesChanged,
  Unblocked,
  Unfollowed,
  UserReturned,
} from './accounts.events.js';
export { AccountDeletionService } from './deletion/account-deletion.service.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsService } from './accounts.service.js';
export { AccountNotes } from './account-notes.service.js';
export { birthdayProblem } from './birthday.js';
export { BlocksService, type MuteOptions, type Term } from './blocks.service.js';
export { AccountCounterRepair, type AccountDrift, type RepairOptions } from './counter-repair.service.js';
export { DomainBlocksService } from './domain-blocks.service.js';
export { EndorsementsService } from './endorsements.service.js';
export { type FamiliarFollowersJson, FamiliarFollowersShape } from './familiar.shape.js';
export { FeedFloors } from './feed-floors.service.js';
export { FilterVersions } from './filter-versions.service.js';
export type { FollowOptions } from './follow.repository.js';
export { FollowsService } from './follows.service.js';
export { HostFacts } from './host-facts.entity.js';
export { List, ListMember, type RepliesPolicy } from './list.entities.js';
export { exclusiveMembers } from './list.sql.js';
export type { ListRow } from './list.repository.js';
export { type ListJson, ListShape } from './list.shape.js';
export { ListsService } from './lists.service.js';
export type { ListedUser } from './user-admission.repository.js';
export { UserAdmissionService } from './user-admission.service.js';
export { type FieldMessages, type NewUserOptions, UserRefused } from './new-user.js';
export { acctOf, type Handle, parseHandle } from './nickname.js';
export { MovesService } from './moves.service.js';
export { OwnerCounters, type UnreadCounts } from './owner-counters.port.js';
export { type ProfileChanges, ProfileService } from './profile.service.js';
export { AccountNote, Block, DomainBlock, Endorsement, Follow, Mute } from './relationship.entities.js';
export type { RelatedAccount } from './related.repository.js';
export { RelatedAccounts } from './related.service.js';
export { Scrobble } from './scrobble.entity.js';
export { type RelationshipJson, RelationshipShape } from './relationship.shape.js';
export { RelationshipView } from './relationship.view.js';
export { type AccountResolver, RemoteAccounts } from './remote-accounts.port.js';
export { DismissedSuggestion, SuggestedAccount } from './suggestion.entities.js';
export { type SuggestionJson, SuggestionShape } from './suggestion.shape.js';
export { SuggestionsService } from './suggestions.service.js';
export {
  type LoginResult,
  type LoginState,
  type PostingDefaults,
  type UserFacts,
  UsersService,
} from './users.service.js';
export { isFindable } from './welcome.sql.js';
