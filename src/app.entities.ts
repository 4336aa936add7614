import {
  Account,
  AccountNote,
  AccountStats,
  ActorKey,
  Block,
  DomainBlock,
  Follow,
  List,
  ListMember,
  Endorsement,
  Mute,
  User,
} from './accounts/index.js';
import { IdempotencyKey } from './common/index.js';
import { ConfigItem, ServerKey } from './config/index.js';
import {
  Announcement,
  AnnouncementReaction,
  AnnouncementRead,
  InstanceTotals,
  InstanceWeek,
  Rule,
} from './instance/index.js';
import { Attachment } from './media/index.js';
import { Marker, Notification, PushSubscription } from './notifications/index.js';
import { OauthApp, OauthToken, SpentRefreshToken } from './oauth/index.js';
import { JobRow } from './platform/index.js';
import { Backup, ImportEntry } from './portability/index.js';
import {
  Conversation,
  ConversationParticipant,
  Favourite,
  Hashtag,
  Mention,
  Status,
  StatusHashtag,
  StatusStats,
  ThreadMute,
  Tombstone,
} from './statuses/index.js';
import { Filter, FilterKeyword, FilterStatus, FollowedTag, HashtagDay, HomeFeedRow } from './timelines/index.js';

/** Every mapped table. */
export const entities = [
  JobRow,
  IdempotencyKey,
  ConfigItem,
  ServerKey,
  Account,
  AccountStats,
  User,
  ActorKey,
  Follow,
  Block,
  Mute,
  DomainBlock,
  List,
  ListMember,
  AccountNote,
  Endorsement,
  OauthApp,
  OauthToken,
  SpentRefreshToken,
  Conversation,
  Status,
  StatusStats,
  Mention,
  Hashtag,
  StatusHashtag,
  Favourite,
  ThreadMute,
  Tombstone,
  ConversationParticipant,
  Attachment,
  HomeFeedRow,
  Filter,
  FilterKeyword,
  FilterStatus,
  FollowedTag,
  HashtagDay,
  Notification,
  Marker,
  Backup,
  ImportEntry,
  PushSubscription,
  InstanceTotals,
  InstanceWeek,
  Rule,
  Announcement,
  AnnouncementRead,
  AnnouncementReaction,
];
