import { Injectable } from '@nestjs/common';
import { groupBy, keyBy, unique } from '../../common/index.js';
import { ReferenceApps, Settings } from '../../config/index.js';
import { OWN_TYPES } from '../../notifications/index.js';
import {
  type StatusForViewer,
  ADDRESSED_ONLY,
  DIRECT,
  LOCAL_ONLY,
  ON_OTHER_STREAMS,
  PUBLIC,
} from '../../statuses/index.js';
import type { Readers } from '../connections/readers.js';
import type { Session } from '../connections/session.js';
import { Sessions } from '../connections/sessions.js';
import {
  AudienceRepository,
  type EntryViewer,
  type FollowerRow,
  NAMED_FOLLOWERS,
  type StatusFacts,
  type TagFollowerRow,
} from './audience.repository.js';
import type {
  AnnouncementMessage,
  ChatMessageStored,
  ConversationMessage,
  EntryCreated,
  EntryDeleted,
  FilterMessage,
  FollowChanged,
  NotificationMade,
} from './stream.messages.js';
import {
  chatsTopic,
  directTopic,
  listOfTopic,
  listTopic,
  mayHaveShown,
  notificationsTopic,
  openTopics,
  userOfTopic,
  userTopic,
} from '../connections/topics.js';

/** Readers of a topic that get a message. */
export interface Receiver<Message> {
  readonly message: Message;
  readonly readers: Readers;
  /** Their sessions at that time. */
  readonly sessions: readonly Session[];
}

/**
 * Finds the sessions of this process that a message concerns. A batch costs the same few statements for any number of
 * messages, sessions and followers.
 */
@Injectable()
export class AudienceService {
  constructor(
    private readonly repository: AudienceRepository,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
    private readonly apps: ReferenceApps,
  ) {}

  /** The sessions on whose streams an entry appears, if the viewer wants it. Does not check who may see the entry. */
  async ofEntries(entries: readonly EntryCreated[]): Promise<readonly Receiver<EntryCreated>[]> {
    const [followers, facts, lists] = await Promise.all([
      this.followersOf(entries.map(({ authorId }) => authorId)),
      this.factsOf(entries),
      this.listsShowing(entries),
    ]);
    const tagFollowers = await this.tagFollowersOf(entries, facts);
    const receivers = entries.flatMap((entry, at) => {
      const { statusId, authorId } = entry;
      const readers = followers.get(authorId)?.filter(({ reblogs }) => reblogs || !entry.isBoost) ?? [];
      const people = [...readers, ...(tagFollowers.get(at) ?? [])].map((row) => row.followerId);
      const personal = [...unique([authorId, ...people]).map(userTopic), ...(lists.get(statusId) ?? []).map(listTopic)];
      return this.readersOf(entry, [...personal, ...topicsOf(entry, facts.get(statusId))]);
    });
    const limited = entries.flatMap(({ statusId: id, authorId }) =>
      (followers.get(authorId) ?? []).filter((row) => row.isLimited).map((row) => ({ id, viewerId: row.followerId })),
    );
    return this.wantedBy(receivers, limited);
  }

  /** The sessions whose streams may have shown a post that is now deleted, or that their viewer may no longer see. */
  async ofDeletions(deletions: readonly EntryDeleted[]): Promise<readonly Receiver<EntryDeleted>[]> {
    const [followers, tagFollowers, lists] = await Promise.all([
      this.followersOf(deletions.filter(isForFollowers).flatMap(publishersOf)),
      this.followersOfTags(deletions),
      this.listsWith(deletions.flatMap(publishersOf)),
    ]);
    const receivers = deletions.flatMap((deletion) => {
      const publishers = publishersOf(deletion);
      const byPeople = isForFollowers(deletion) ? publishers.flatMap((id) => followers.get(id) ?? []) : [];
      const byTags = isTagged(deletion) ? deletion.tagIds.flatMap((id) => tagFollowers.get(id) ?? []) : [];
      const readers = [...byPeople, ...byTags].map((row) => row.followerId);
      const people = unique([...publishers, ...deletion.addressedIds, ...readers]);
      const topics = people.flatMap((id) => [userTopic(id), directTopic(id)]);
      const listed = unique(publishers.flatMap((id) => lists.get(id) ?? [])).map(listTopic);
      const onLists = this.readersOf(deletion, listed).filter((receiver) => mayKnowOf(deletion, receiver.readers));
      const openly = this.readersOf(deletion, this.openTopicsOf(deletion)).filter(
        ({ readers }) => !LOCAL_ONLY.includes(deletion.visibility) || readers.viewerId !== '',
      );
      return [...this.readersOf(deletion, topics), ...openly, ...onLists];
    });
    return this.withoutViewersWhoMaySee(receivers);
  }

  /** All sessions that read the stream of their user. */
  ofAnnouncement(message: AnnouncementMessage): Receiver<AnnouncementMessage>[] {
    return this.readersOf(message, this.sessions.userIds().map(userTopic));
  }

  /** The sessions that read a receiver's notifications. Those of apps of the reference get only the types that it has. */
  ofNotification(message: NotificationMade): Receiver<NotificationMade>[] {
    const topics = [userTopic(message.receiverId), notificationsTopic(message.receiverId)];
    const isKnown = ({ auth }: Readers) => !OWN_TYPES.includes(message.type) || !this.apps.includes(auth?.appName);
    return this.readersOf(message, topics).filter(
      ({ readers }) => readers.allows('read:notifications') && isKnown(readers),
    );
  }

  /** The sessions of the local parties of a chat message that may read chats. */
  ofChat(message: ChatMessageStored): Receiver<ChatMessageStored>[] {
    const topics = message.ownerIds.flatMap((id) => [userTopic(id), chatsTopic(id)]);
    return this.readersOf(message, topics).filter(({ readers }) => readers.allows('read:chats'));
  }

  /** The sessions that read the user stream of the follower. */
  ofFollow(message: FollowChanged): Receiver<FollowChanged>[] {
    return this.readersOf(message, [userTopic(message.followerId)]);
  }

  /** The sessions that read the direct posts of the owner of a conversation. */
  ofConversation(message: ConversationMessage): Receiver<ConversationMessage>[] {
    return this.readersOf(message, [directTopic(message.ownerId)]);
  }

  /** The sessions that read the user stream of the owner of the filters. */
  ofFilters(message: FilterMessage): Receiver<FilterMessage>[] {
    return this.readersOf(message, [userTopic(message.accountId)]);
  }

  private readersOf<Message>(message: Message, topics: readonly string[]): Receiver<Message>[] {
    return topics.flatMap((topic) =>
      Array.from(this.sessions.readersOf(topic), (readers) => ({ message, readers, sessions: readers.sessions })),
    );
  }

  /** Leaves out those who may still see a post that fewer accounts may read. Costs a statement when there is one. */
  private async withoutViewersWhoMaySee(
    receivers: readonly Receiver<EntryDeleted>[],
  ): Promise<readonly Receiver<EntryDeleted>[]> {
    const pairs = receivers.filter(({ message }) => message.isNarrowed).map(statusForViewer);
    if (pairs.length === 0) return receivers;
    const visible = viewersByEntry(await this.repository.visibleTo([...keyBy(pairs, keyOf).values()]));
    return receivers.filter((receiver) => {
      const { id, viewerId } = statusForViewer(receiver);
      return !(receiver.message.isNarrowed && visible.get(id)?.has(viewerId));
    });
  }

  private openTopicsOf(deletion: EntryDeleted): string[] {
    if (deletion.isBoost) return [];
    return [...this.sessions.topics()].filter((topic) => mayHaveShown(topic, deletion));
  }

  /** Accepted followers by account. For accounts with very many followers, only the connected ones. */
  private async followersOf(accountIds: readonly string[]): Promise<Map<string, FollowerRow[]>> {
    if (accountIds.length === 0) return new Map();
    const byAccount = groupBy(await this.repository.followersOf(unique(accountIds)), (row) => row.followeeId);
    const crowded = [...byAccount].filter(([, rows]) => rows.length === NAMED_FOLLOWERS).map(([id]) => id);
    if (crowded.length === 0) return byAccount;
    const connected = await this.repository.followersAmong(crowded, this.sessions.userIds());
    const ofCrowded = groupBy(connected, (row) => row.followeeId);
    for (const id of crowded) byAccount.set(id, ofCrowded.get(id) ?? []);
    return byAccount;
  }

  /** Boosts and followers-only posts appear on users' streams only, so they need no facts. */
  private async factsOf(entries: readonly EntryCreated[]): Promise<Map<string, StatusFacts>> {
    const isElsewhere = ({ isBoost, visibility, former }: EntryCreated) =>
      !isBoost && [visibility, former?.visibility ?? visibility].some((each) => ON_OTHER_STREAMS.includes(each));
    const elsewhere = entries.filter(isElsewhere);
    if (elsewhere.length === 0) return new Map();
    const facts = await this.repository.statusFacts(elsewhere.map(({ statusId }) => statusId));
    return keyBy(facts, ({ id }) => id);
  }

  /** Connected followers of the tags of public posts, by the place of the entry. */
  private async tagFollowersOf(
    entries: readonly EntryCreated[],
    facts: ReadonlyMap<string, StatusFacts>,
  ): Promise<Map<number, TagFollowerRow[]>> {
    const tags = entries.flatMap((entry, at) =>
      placesOf(entry, facts.get(entry.statusId))
        .filter(({ visibility }) => PUBLIC.includes(visibility))
        .flatMap((place) => place.tags.map((name) => ({ at, name }))),
    );
    const users = tags.length === 0 ? [] : this.sessions.userIds();
    if (users.length === 0) return new Map();
    return groupBy(await this.repository.tagFollowers(tags, users), (row) => row.at);
  }

  /** Connected followers of the tags of deleted posts, by the tag. */
  private async followersOfTags(deletions: readonly EntryDeleted[]): Promise<Map<string, { followerId: string }[]>> {
    const tagIds = unique(deletions.filter(isTagged).flatMap((deletion) => deletion.tagIds));
    const users = tagIds.length === 0 ? [] : this.sessions.userIds();
    if (users.length === 0) return new Map();
    return groupBy(await this.repository.followersOfTags(tagIds, users), (row) => row.tagId);
  }

  /** The lists that show an entry and whose stream is read, by the entry. */
  private async listsShowing(entries: readonly EntryCreated[]): Promise<Map<string, string[]>> {
    const read = this.sessions.listIds();
    if (read.length === 0) return new Map();
    const rows = await this.repository.listings(
      entries.map(({ statusId }) => statusId),
      read,
    );
    return idsBy(rows, (row) => row.entryId);
  }

  /** The lists that an account is on and whose stream is read, by the account. */
  private async listsWith(accountIds: readonly string[]): Promise<Map<string, string[]>> {
    const read = this.sessions.listIds();
    if (read.length === 0 || accountIds.length === 0) return new Map();
    return idsBy(await this.repository.listsWith(unique(accountIds), read), (row) => row.accountId);
  }

  /**
   * Visitors hide nothing; only thread containment applies to them. `limited` are the followers who want some languages only.
   */
  private async wantedBy(
    receivers: readonly Receiver<EntryCreated>[],
    limited: readonly StatusForViewer[],
  ): Promise<readonly Receiver<EntryCreated>[]> {
    const contained = !this.settings.get('instance.skip_thread_containment');
    const entries = receivers.map(statusForViewer);
    const viewers = unique(entries.map(({ viewerId }) => viewerId)).filter((id) => contained || id !== '');
    if (viewers.length === 0) return receivers;
    const ids = unique(entries.map(({ id }) => id));
    const atHome = unique(receivers.filter(isOnHome).map(({ readers }) => readers.viewerId));
    const reblogs = receivers.filter((receiver) => receiver.message.isBoost && isOnHome(receiver)).map(statusForViewer);
    const [unwanted, offHome, repeated] = await Promise.all([
      this.repository.unwanted(ids, viewers, contained),
      atHome.length === 0 ? [] : this.repository.offHome(ids, atHome, limited),
      reblogs.length === 0 ? [] : this.repository.repeated(reblogs),
    ]);
    const [unwantedBy, offHomeOf] = [viewersByEntry(unwanted), viewersByEntry([...offHome, ...repeated])];
    return receivers.filter((receiver) => {
      const { id, viewerId } = statusForViewer(receiver);
      return !unwantedBy.get(id)?.has(viewerId) && !(isOnHome(receiver) && offHomeOf.get(id)?.has(viewerId));
    });
  }
}

/** The entry, its viewer and the place. The owner of a list needs only the scope for lists to see the list's entries. */
export function statusForViewer({ message, readers }: Receiver<EntryCreated | EntryDeleted>): StatusForViewer {
  const isOnList = listOfTopic(readers.topic) !== undefined;
  const viewerId = isOnList ? (readers.auth?.accountId ?? '') : readers.viewerId;
  return { id: message.statusId, viewerId, place: readers.place };
}

/** The topics that an entry appears on because of its own facts, and those that showed it before an edit. */
function topicsOf(entry: EntryCreated, facts: StatusFacts | undefined): string[] {
  if (!facts) return [];
  const parties = DIRECT.includes(facts.visibility) ? unique([entry.authorId, ...facts.addressed]) : [];
  return unique([...placesOf(entry, facts).flatMap(openTopics), ...parties.map(directTopic)]);
}

/** What decides where a post is shown, and what did so before an edit, with what it still has. */
function placesOf({ isBoost, former }: EntryCreated, facts: StatusFacts | undefined): StatusFacts[] {
  if (!facts || isBoost) return [];
  if (!former) return [facts];
  const { visibility, tags, hasMedia } = former;
  const before = { visibility, tags: unique([...facts.tags, ...tags]), hasMedia: facts.hasMedia || hasMedia };
  return [facts, { ...facts, ...before }];
}

/** Whether the post appeared on the streams of followers of its tags. */
function isTagged({ visibility, isBoost, tagIds }: EntryDeleted): boolean {
  return PUBLIC.includes(visibility) && !isBoost && tagIds.length > 0;
}

/** Whether the viewer may learn of a deletion: only addressed accounts know of direct posts and of posts for lists. */
function mayKnowOf(deletion: EntryDeleted, { auth }: Readers): boolean {
  return isForFollowers(deletion) || deletion.addressedIds.includes(auth?.accountId ?? '');
}

function idsBy<Row extends { readonly listId: string }>(
  rows: readonly Row[],
  key: (row: Row) => string,
): Map<string, string[]> {
  return new Map([...groupBy(rows, key)].map(([id, group]) => [id, group.map((row) => row.listId)]));
}

function isForFollowers({ visibility }: EntryDeleted): boolean {
  return !ADDRESSED_ONLY.includes(visibility);
}

/** The accounts whose followers saw the post on their streams: the author and the boosters. */
function publishersOf({ authorId, boosterIds }: EntryDeleted): string[] {
  return [authorId, ...boosterIds];
}

function viewersByEntry(rows: readonly EntryViewer[]): Map<string, Set<string>> {
  const byEntry = groupBy(rows, ({ entryId }) => entryId);
  return new Map([...byEntry].map(([id, group]) => [id, new Set(group.map(({ viewerId }) => viewerId))]));
}

/** Whether the entry is for the home timeline of the readers. */
function isOnHome({ readers }: Receiver<EntryCreated>): boolean {
  return userOfTopic(readers.topic) !== undefined;
}

/** The key of an entry and its viewer in maps. */
export function keyOf({ id, viewerId }: StatusForViewer): string {
  return `${id} ${viewerId}`;
}
