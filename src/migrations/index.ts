import { PlatformJobs1763600000000 } from './platform/1763600000000-platform-jobs.js';
import { Config1763600001000 } from './config/1763600001000-config.js';
import { Accounts1763600002000 } from './accounts/1763600002000-accounts.js';
import { Oauth1763600003000 } from './oauth/1763600003000-oauth.js';
import { Statuses1763600004000 } from './statuses/1763600004000-statuses.js';
import { Timelines1763600005000 } from './timelines/1763600005000-timelines.js';
import { Instance1763600006000 } from './instance/1763600006000-instance.js';
import { OauthFamilies1763600007000 } from './oauth/1763600007000-oauth-families.js';
import { InstanceStaff1763600008000 } from './instance/1763600008000-instance-staff.js';
import { StatusesPages1763600009000 } from './statuses/1763600009000-statuses-pages.js';
import { Notifications1763600020000 } from './notifications/1763600020000-notifications.js';
import { Media1763600021000 } from './media/1763600021000-media.js';
import { AccountsBirthdays1763600030000 } from './accounts/1763600030000-accounts-birthdays.js';
import { HostFacts1763600030100 } from './accounts/1763600030100-host-facts.js';
import { Imports1763600031000 } from './portability/1763600031000-imports.js';
import { Backups1763600031100 } from './portability/1763600031100-backups.js';
import { Scrobbles1763600031200 } from './accounts/1763600031200-scrobbles.js';
import { EmailConfirmations1763600031300 } from './oauth/1763600031300-email-confirmations.js';
import { Mascots1763600031400 } from './media/1763600031400-mascots.js';
import { AccountsAddresses1763600032000 } from './accounts/1763600032000-accounts-addresses.js';
import { Relations1763600032100 } from './accounts/1763600032100-relations.js';
import { Directory1763600032200 } from './accounts/1763600032200-directory.js';
import { AccountSearch1763600032300 } from './accounts/1763600032300-account-search.js';
import { Lists1763600033000 } from './accounts/1763600033000-lists.js';
import { Tags1763600033100 } from './timelines/1763600033100-tags.js';
import { Filters1763600034000 } from './timelines/1763600034000-filters.js';
import { BookmarksPins1763600034100 } from './statuses/1763600034100-bookmarks-pins.js';
import { Reactions1763600034200 } from './statuses/1763600034200-reactions.js';
import { ConfigServerKeys1763600035000 } from './config/1763600035000-config-server-keys.js';
import { NotificationsPush1763600035100 } from './notifications/1763600035100-notifications-push.js';
import { AdminReports1763600035200 } from './instance/1763600035200-admin-reports.js';
import { InstanceRules1763600036000 } from './instance/1763600036000-instance-rules.js';
import { Announcements1763600036100 } from './instance/1763600036100-announcements.js';
import { UsedCaptchas1763600036200 } from './oauth/1763600036200-used-captchas.js';
import { Conversations1763600037000 } from './statuses/1763600037000-conversations.js';
import { Polls1763600037100 } from './statuses/1763600037100-polls.js';
import { ScheduledStatuses1763600037200 } from './statuses/1763600037200-scheduled-statuses.js';
import { StatusEdits1763600037300 } from './statuses/1763600037300-status-edits.js';
import { Search1763600038000 } from './search/1763600038000-search.js';
import { Cards1763600038100 } from './statuses/1763600038100-cards.js';
import { Quotes1763600039200 } from './statuses/1763600039200-quotes.js';
import { ListPosts1763600039300 } from './statuses/1763600039300-list-posts.js';
import { UnmadeBackups1763600040000 } from './portability/1763600040000-unmade-backups.js';
import { NotificationsMoves1763600042000 } from './notifications/1763600042000-notifications-moves.js';
import { BannedMedia1763600043000 } from './media/1763600043000-banned-media.js';
import { CommonValues1763600045000 } from './platform/1763600045000-common-values.js';
import { PublicHosts1763600045100 } from './platform/1763600045100-public-hosts.js';
import { CustomEmoji1763600046000 } from './media/1763600046000-custom-emoji.js';
import { UnspacedWords1763600049000 } from './search/1763600049000-unspaced-words.js';
import { CardRevisions1763600050000 } from './statuses/1763600050000-card-revisions.js';
import { PollWords1763600050100 } from './statuses/1763600050100-poll-words.js';
import { UnusedHashtags1763600050200 } from './timelines/1763600050200-unused-hashtags.js';
import { HashtagDaysTop1763700010000 } from './timelines/1763700010000-hashtag-days-top.js';
import { AppTokens1763700030001 } from './oauth/1763700030001-app-tokens.js';
import { KnownNetworks1763700030002 } from './oauth/1763700030002-known-networks.js';
import { DeletedAccounts1763700050001 } from './accounts/1763700050001-deleted-accounts.js';
import { RemoteKeys1763900020000 } from './federation/1763900020000-remote-keys.js';
import { Outbox1763900030000 } from './federation/1763900030000-outbox.js';
import { Inbox1763900040004 } from './federation/1763900040004-inbox.js';
import { Relays1764000040001 } from './federation/1764000040001-relays.js';
import { Shouts1764000050000 } from './streaming/1764000050000-shouts.js';
import { SignInChanges1764000060000 } from './oauth/1764000060000-sign-in-changes.js';
import { AuthorizationCodes1764000000000 } from './oauth/1764000000000-authorization-codes.js';
import { FollowUris1763900040003 } from './accounts/1763900040003-follow-uris.js';
import { RemotePosts1763900040000 } from './statuses/1763900040000-remote-posts.js';
import { WaitingReplies1763900040001 } from './statuses/1763900040001-waiting-replies.js';
import { WaitingQuotes1763900040002 } from './statuses/1763900040002-waiting-quotes.js';
import { Mfa1764000010000 } from './oauth/1764000010000-mfa.js';
import { MutedMails1764000020001 } from './accounts/1764000020001-muted-mails.js';
import { ModerationLog1764000034000 } from './instance/1764000034000-moderation-log.js';
import { ModeratedAccounts1764000034001 } from './accounts/1764000034001-moderated-accounts.js';
import { PasswordResets1764000020000 } from './oauth/1764000020000-password-resets.js';
import { Chats1764000031000 } from './chats/1764000031000-chats.js';
import { ChatAttachments1764000031001 } from './chats/1764000031001-chat-attachments.js';
import { ChatNotifications1764000031002 } from './chats/1764000031002-chat-notifications.js';
import { UnreadChats1764000227300 } from './chats/1764000227300-unread-chats.js';
import { JobCauses1764000229000 } from './platform/1764000229000-job-causes.js';
import { DeliveryCauses1764000229100 } from './federation/1764000229100-delivery-causes.js';
import { ActivityCauses1764000231000 } from './federation/1764000231000-activity-causes.js';
import { QueuePages1764000260000 } from './federation/1764000260000-queue-pages.js';
import { StatusTotals1764000035001 } from './statuses/1764000035001-status-totals.js';
import { InstanceTexts1764000035002 } from './instance/1764000035002-instance-texts.js';
import { ReportCopies1764000035000 } from './instance/1764000035000-report-copies.js';
import { Invites1764000032000 } from './oauth/1764000032000-invites.js';
import { ChangeReports1764000070000 } from './platform/1764000070000-change-reports.js';
import { ChangeReportsOfSeveral1764000100000 } from './platform/1764000100000-change-reports-of-several.js';
import { RemoteInstances1764000080000 } from './accounts/1764000080000-remote-instances.js';
import { AccountNames1764000110000 } from './accounts/1764000110000-account-names.js';
import { AccountAddresses1764000120000 } from './accounts/1764000120000-account-addresses.js';
import { FileOwners1764000146000 } from './media/1764000146000-file-owners.js';
import { MoveTimes1764000150100 } from './accounts/1764000150100-move-times.js';
import { OpenCounts1764000150000 } from './statuses/1764000150000-open-counts.js';
import { ServerNames1764000145000 } from './accounts/1764000145000-server-names.js';
import { SuspendedByServer1764000152000 } from './accounts/1764000152000-suspended-by-server.js';
import { ActivityIds1764000153000 } from './statuses/1764000153000-activity-ids.js';
import { QuoteConsent1764000160000 } from './statuses/1764000160000-quote-consent.js';
import { QuoteApprovals1764000160001 } from './statuses/1764000160001-quote-approvals.js';
import { DescribedAt1764000180000 } from './accounts/1764000180000-described-at.js';
import { Memorials1764000190000 } from './accounts/1764000190000-memorials.js';
import { InvisibleAccounts1764000226000 } from './timelines/1764000226000-invisible-accounts.js';
import { CountedActions1764000226210 } from './timelines/1764000226210-counted-actions.js';
import { DocumentReaders1764000226200 } from './federation/1764000226200-document-readers.js';
import { CountedFollows1764000226100 } from './timelines/1764000226100-counted-follows.js';
import { GivenPasswords1764000226500 } from './oauth/1764000226500-given-passwords.js';
import { ScrobbleUris1764000226300 } from './timelines/1764000226300-scrobble-uris.js';
import { StatusGroups1764000170000 } from './statuses/1764000170000-status-groups.js';
import { AuthorChoices1764000151100 } from './accounts/1764000151100-author-choices.js';
import { ChangeReportsOfDrafts1764000130000 } from './platform/1764000130000-change-reports-of-drafts.js';
import { JobNames1764000080001 } from './platform/1764000080001-job-names.js';
import { InboxDue1764000090000 } from './federation/1764000090000-inbox-due.js';
import { InboxAsking1764000140000 } from './federation/1764000140000-inbox-asking.js';
import { OwnPages1764000151000 } from './federation/1764000151000-own-pages.js';
import { ToldCounts1764000175000 } from './accounts/1764000175000-told-counts.js';
import { ToldFavourites1764000175100 } from './statuses/1764000175100-told-favourites.js';
import { PollFetches1764000175200 } from './statuses/1764000175200-poll-fetches.js';
import { FormerPosts1764000185000 } from './media/1764000185000-former-posts.js';
import { FormerPostsIndex1764000185001 } from './media/1764000185001-former-posts-index.js';
import { RemotePreviews1764000191000 } from './media/1764000191000-remote-previews.js';
import { RemotePreviewsIndex1764000191001 } from './media/1764000191001-remote-previews-index.js';
import { RemoteCounts1764000192000 } from './accounts/1764000192000-remote-counts.js';
import { UnattachedFiles1764000192001 } from './media/1764000192001-unattached-files.js';
import { WarnedFiles1764000186000 } from './statuses/1764000186000-warned-files.js';
import { DefaultQuotePolicy1764000195000 } from './accounts/1764000195000-default-quote-policy.js';
import { NotificationGroups1764000200000 } from './notifications/1764000200000-notification-groups.js';
import { NotificationGroupsIndex1764000200001 } from './notifications/1764000200001-notification-groups-index.js';
import { NotificationRequests1764000200002 } from './notifications/1764000200002-notification-requests.js';
import { ReferenceShapes1764000210000 } from './config/1764000210000-reference-shapes.js';
import { ListsOfOwn1764000220000 } from './timelines/1764000220000-lists-of-own.js';
import { EditDescriptions1764000223000 } from './media/1764000223000-edit-descriptions.js';
import { FollowLanguages1764000223100 } from './timelines/1764000223100-follow-languages.js';
import { RequestAlerts1764000223200 } from './notifications/1764000223200-request-alerts.js';
import { LocalThreads1764000228000 } from './timelines/1764000228000-local-threads.js';
import { Followees1764000228001 } from './timelines/1764000228001-followees.js';
import { ReportedPosts1764000228002 } from './timelines/1764000228002-reported-posts.js';
import { RemoteFollowers1764000229200 } from './timelines/1764000229200-remote-followers.js';
import { RemoteFollowersIndex1764000229201 } from './timelines/1764000229201-remote-followers-index.js';
import { AnswerReports1764000232100 } from './platform/1764000232100-answer-reports.js';
import { FeedDepth1764000240000 } from './timelines/1764000240000-feed-depth.js';
import { WordsByTime1764000280000 } from './search/1764000280000-words-by-time.js';
import { Nicknames1764000280100 } from './search/1764000280100-nicknames.js';
import { BlockersOfDomains1764000290000 } from './streaming/1764000290000-blockers-of-domains.js';
import { UnreadMessages1764000300000 } from './chats/1764000300000-unread-messages.js';
import { UnreadConversations1764000300001 } from './timelines/1764000300001-unread-conversations.js';
import { LocalSweeps1764000310000 } from './platform/1764000310000-local-sweeps.js';
import { DescribedPosts1764000320000 } from './timelines/1764000320000-described-posts.js';
import { ReportFiles1764000324000 } from './instance/1764000324000-report-files.js';
import { WithdrawnPosts1764000326000 } from './timelines/1764000326000-withdrawn-posts.js';
import { CountedResets1764000329001 } from './oauth/1764000329001-counted-resets.js';
import { UnmarkedCopies1764000330000 } from './instance/1764000330000-unmarked-copies.js';
import { InboxSubjects1764000331000 } from './federation/1764000331000-inbox-subjects.js';
import { AnsweredPosts1764000338000 } from './federation/1764000338000-answered-posts.js';
import { StaffDeletions1764000338500 } from './instance/1764000338500-staff-deletions.js';
import { OutdatedTombstones1764000338501 } from './instance/1764000338501-outdated-tombstones.js';
import { FormerTombstonesIndex1764000338502 } from './instance/1764000338502-former-tombstones-index.js';
import { CardAuthors1764000333000 } from './timelines/1764000333000-card-authors.js';
import { CardAuthorsIndex1764000333001 } from './timelines/1764000333001-card-authors-index.js';
import { AccountRenames1764000334000 } from './timelines/1764000334000-account-renames.js';
import { NamedAccountsIndex1764000336000 } from './timelines/1764000336000-named-accounts-index.js';
import { FirstUnread1764000336500 } from './instance/1764000336500-first-unread.js';
import { AnsweredRenames1764000338200 } from './federation/1764000338200-answered-renames.js';
import { RemovedJobs1764000335000 } from './platform/1764000335000-removed-jobs.js';
import { KnownHosts1764000336700 } from './federation/1764000336700-known-hosts.js';
import { OrderedBackups1764000337000 } from './portability/1764000337000-ordered-backups.js';
import { RenamedAt1764000337500 } from './federation/1764000337500-renamed-at.js';
import { ReturningAccounts1764000326001 } from './timelines/1764000326001-returning-accounts.js';
import { LateSteps1764000338700 } from './instance/1764000338700-late-steps.js';

/** Every migration in order. One that has been released is never edited. */
export const migrations = [
  PlatformJobs1763600000000,
  Config1763600001000,
  Accounts1763600002000,
  Oauth1763600003000,
  Statuses1763600004000,
  Timelines1763600005000,
  Instance1763600006000,
  OauthFamilies1763600007000,
  InstanceStaff1763600008000,
  StatusesPages1763600009000,
  Notifications1763600020000,
  Media1763600021000,
  AccountsBirthdays1763600030000,
  HostFacts1763600030100,
  Imports1763600031000,
  Backups1763600031100,
  Scrobbles1763600031200,
  EmailConfirmations1763600031300,
  Mascots1763600031400,
  AccountsAddresses1763600032000,
  Relations1763600032100,
  Directory1763600032200,
  AccountSearch1763600032300,
  Lists1763600033000,
  Tags1763600033100,
  Filters1763600034000,
  BookmarksPins1763600034100,
  Reactions1763600034200,
  ConfigServerKeys1763600035000,
  NotificationsPush1763600035100,
  AdminReports1763600035200,
  InstanceRules1763600036000,
  Announcements1763600036100,
  UsedCaptchas1763600036200,
  Conversations1763600037000,
  Polls1763600037100,
  ScheduledStatuses1763600037200,
  StatusEdits1763600037300,
  Search1763600038000,
  Cards1763600038100,
  Quotes1763600039200,
  ListPosts1763600039300,
  UnmadeBackups1763600040000,
  NotificationsMoves1763600042000,
  BannedMedia1763600043000,
  CommonValues1763600045000,
  PublicHosts1763600045100,
  CustomEmoji1763600046000,
  UnspacedWords1763600049000,
  CardRevisions1763600050000,
  PollWords1763600050100,
  UnusedHashtags1763600050200,
  HashtagDaysTop1763700010000,
  AppTokens1763700030001,
  KnownNetworks1763700030002,
  DeletedAccounts1763700050001,
  RemoteKeys1763900020000,
  Outbox1763900030000,
  RemotePosts1763900040000,
  WaitingReplies1763900040001,
  WaitingQuotes1763900040002,
  FollowUris1763900040003,
  Inbox1763900040004,
  AuthorizationCodes1764000000000,
  Mfa1764000010000,
  PasswordResets1764000020000,
  MutedMails1764000020001,
  Chats1764000031000,
  ChatAttachments1764000031001,
  ChatNotifications1764000031002,
  Invites1764000032000,
  ModerationLog1764000034000,
  ModeratedAccounts1764000034001,
  ReportCopies1764000035000,
  StatusTotals1764000035001,
  InstanceTexts1764000035002,
  Relays1764000040001,
  Shouts1764000050000,
  SignInChanges1764000060000,
  ChangeReports1764000070000,
  RemoteInstances1764000080000,
  JobNames1764000080001,
  InboxDue1764000090000,
  ChangeReportsOfSeveral1764000100000,
  AccountNames1764000110000,
  AccountAddresses1764000120000,
  ChangeReportsOfDrafts1764000130000,
  InboxAsking1764000140000,
  ServerNames1764000145000,
  FileOwners1764000146000,
  OpenCounts1764000150000,
  MoveTimes1764000150100,
  OwnPages1764000151000,
  AuthorChoices1764000151100,
  SuspendedByServer1764000152000,
  ActivityIds1764000153000,
  QuoteConsent1764000160000,
  QuoteApprovals1764000160001,
  StatusGroups1764000170000,
  ToldCounts1764000175000,
  ToldFavourites1764000175100,
  PollFetches1764000175200,
  DescribedAt1764000180000,
  FormerPosts1764000185000,
  FormerPostsIndex1764000185001,
  WarnedFiles1764000186000,
  Memorials1764000190000,
  RemotePreviews1764000191000,
  RemotePreviewsIndex1764000191001,
  RemoteCounts1764000192000,
  UnattachedFiles1764000192001,
  DefaultQuotePolicy1764000195000,
  NotificationGroups1764000200000,
  NotificationGroupsIndex1764000200001,
  NotificationRequests1764000200002,
  ReferenceShapes1764000210000,
  ListsOfOwn1764000220000,
  EditDescriptions1764000223000,
  FollowLanguages1764000223100,
  RequestAlerts1764000223200,
  InvisibleAccounts1764000226000,
  CountedFollows1764000226100,
  DocumentReaders1764000226200,
  CountedActions1764000226210,
  ScrobbleUris1764000226300,
  GivenPasswords1764000226500,
  UnreadChats1764000227300,
  LocalThreads1764000228000,
  Followees1764000228001,
  ReportedPosts1764000228002,
  JobCauses1764000229000,
  DeliveryCauses1764000229100,
  RemoteFollowers1764000229200,
  RemoteFollowersIndex1764000229201,
  ActivityCauses1764000231000,
  AnswerReports1764000232100,
  FeedDepth1764000240000,
  QueuePages1764000260000,
  WordsByTime1764000280000,
  Nicknames1764000280100,
  BlockersOfDomains1764000290000,
  UnreadMessages1764000300000,
  UnreadConversations1764000300001,
  LocalSweeps1764000310000,
  DescribedPosts1764000320000,
  ReportFiles1764000324000,
  WithdrawnPosts1764000326000,
  ReturningAccounts1764000326001,
  CountedResets1764000329001,
  UnmarkedCopies1764000330000,
  InboxSubjects1764000331000,
  CardAuthors1764000333000,
  CardAuthorsIndex1764000333001,
  AccountRenames1764000334000,
  RemovedJobs1764000335000,
  NamedAccountsIndex1764000336000,
  FirstUnread1764000336500,
  KnownHosts1764000336700,
  OrderedBackups1764000337000,
  RenamedAt1764000337500,
  AnsweredPosts1764000338000,
  AnsweredRenames1764000338200,
  StaffDeletions1764000338500,
  OutdatedTombstones1764000338501,
  FormerTombstonesIndex1764000338502,
  LateSteps1764000338700,
];
