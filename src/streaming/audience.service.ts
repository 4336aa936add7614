import { Injectable } from '@nestjs/common';
import { groupBy, keyBy, unique } from '../common/index.js';
import { Settings } from '../config/index.js';
import { type Showing, Visibility } from '../statuses/index.js';
import { AudienceRepository } from './audience.repository.js';
import { type FollowerRow, NAMED_FOLLOWERS, type PostFacts, type TagFollowerRow } from './audience.sql.js';
import type { Session } from './session.js';
import { Sessions } from './sessions.js';
import type {
  AnnouncementNews,
  EntryCreated,
  EntryDeleted,
  FilterNews,
  FollowChanged,
  NotificationMade,
} from './stream.messages.js';
import {
  directTopic,
  listOfTopic,
  listTopic,
  mayHaveShown,
  notificationsTopic,
  openTopics,
  userOfTopic,
  userTopic,
} from './topics.js';

/** Somebody who gets what happened: a socket, and the topic by which it does. */
export interface Receiver<Message> {
  readonly message: Message;
  readonly session: Session;
  readonly topic: string;
}

/**
 * Finds out which sockets of this process something concerns. However many messages, sockets and followers there are, a
 * batch costs the same few statements.
 */
@Injectable()
export class AudienceService {
  constructor(
    private readonly repository: AudienceRepository,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
  ) {}

  /** Who reads the streams in which entries appear and does not want to be spared them; not who may see them. */
  async ofEntries(entries: readonly EntryCreated[]): Promise<Receiver<EntryCreated>[]> {
    const [followers, facts, lists] = await Promise.all([
      this.followersOf(entries.map(({ authorId }) => authorId)),
      this.factsOf(entries),
      this.listsShowing(entries),
    ]);
    const tagFollowers = await this.tagFollowersOf([...facts.values()]);
    const receivers = entries.flatMap((entry) => {
      const { statusId, authorId } = entry;
      const readers = followers.get(authorId)?.filter(({ reblogs }) => reblogs || !entry.isBoost) ?? [];
      const people = [...readers, ...(tagFollowers.get(statusId) ?? [])].map((row) => row.follower_id);
      const personal = [...unique([authorId, ...people]).map(userTopic), ...(lists.get(statusId) ?? []).map(listTopic)];
      return this.readersOf(entry, [...personal, ...topicsOf(entry, facts.get(statusId))]);
    });
    return this.unlessSpared(receivers);
  }

  /** Every stream on which a client may have received a post that is gone now. */
  async ofDeletions(deletions: readonly EntryDeleted[]): Promise<Receiver<EntryDeleted>[]> {
    const [followers, tagFollowers, lists] = await Promise.all([
      this.followersOf(deletions.filter(isForFollowers).flatMap(publishersOf)),
      this.followersOfTags(deletions),
      this.listsWith(deletions.flatMap(publishersOf)),
    ]);
    return deletions.flatMap((deletion) => {
      const publishers = publishersOf(deletion);
      const byPeople = isForFollowers(deletion) ? publishers.flatMap((id) => followers.get(id) ?? []) : [];
      const byTags = isTagged(deletion) ? deletion.tagIds.flatMap((id) => tagFollowers.get(id) ?? []) : [];
      const readers = [...byPeople, ...byTags].map((row) => row.follower_id);
      const people = unique([...publishers, ...deletion.addressedIds, ...readers]);
      const topics = [...people.flatMap((id) => [userTopic(id), directTopic(id)]), ...this.openTopicsOf(deletion)];
      const listed = unique(publishers.flatMap((id) => lists.get(id) ?? [])).map(listTopic);
      const onLists = this.readersOf(deletion, listed).filter((receiver) => mayKnowOf(deletion, receiver.session));
      return [...this.readersOf(deletion, topics), ...onLists];
    });
  }

  /** Every socket that reads its user's stream. */
  ofEverybody(message: AnnouncementNews): Receiver<AnnouncementNews>[] {
    return this.readersOf(message, this.sessions.users().map(userTopic));
  }

  /** The sockets on which a receiver hears of notifications. */
  ofNotification(message: NotificationMade): Receiver<NotificationMade>[] {
    const topics = [userTopic(message.receiverId), notificationsTopic(message.receiverId)];
    return this.readersOf(message, topics).filter(({ session }) => session.allows('read:notifications'));
  }

  /** The sockets on which a follower hears of a follow. */
  ofFollow(message: FollowChanged): Receiver<FollowChanged>[] {
    return this.readersOf(message, [userTopic(message.followerId)]);
  }

  /** The sockets on which somebody hears of their own filters. */
  ofFilters(message: FilterNews): Receiver<FilterNews>[] {
    return this.readersOf(message, [userTopic(message.accountId)]);
  }

  private readersOf<Message>(message: Message, topics: readonly string[]): Receiver<Message>[] {
    return topics.flatMap((topic) => [...this.sessions.on(topic)].map((session) => ({ message, session, topic })));
  }

  private openTopicsOf(deletion: EntryDeleted): string[] {
    if (deletion.isBoost) return [];
    return [...this.sessions.topics()].filter((topic) => mayHaveShown(topic, deletion));
  }

  /** Accepted followers by account: those of accounts with very many only as far as they are connected. */
  private async followersOf(accountIds: readonly string[]): Promise<Map<string, FollowerRow[]>> {
    if (accountIds.length === 0) return new Map();
    const byAccount = groupBy(await this.repository.followersOf(unique(accountIds)), (row) => row.followee_id);
    const crowded = [...byAccount].filter(([, rows]) => rows.length === NAMED_FOLLOWERS).map(([id]) => id);
    if (crowded.length === 0) return byAccount;
    const connected = await this.repository.followersAmong(crowded, this.sessions.users());
    const ofCrowded = groupBy(connected, (row) => row.followee_id);
    for (const id of crowded) byAccount.set(id, ofCrowded.get(id) ?? []);
    return byAccount;
  }

  /** Boosts, and posts for followers only, appear nowhere but in the streams of users. */
  private async factsOf(entries: readonly EntryCreated[]): Promise<Map<string, PostFacts>> {
    const elsewhere = entries.filter(({ isBoost, visibility }) => !isBoost && APPEARING_ELSEWHERE.has(visibility));
    if (elsewhere.length === 0) return new Map();
    const facts = await this.repository.postFacts(elsewhere.map(({ statusId }) => statusId));
    return keyBy(facts, ({ id }) => id);
  }

  /** Those who are connected and follow a tag of a public post, by the post. */
  private async tagFollowersOf(facts: readonly PostFacts[]): Promise<Map<string, TagFollowerRow[]>> {
    const tagged = facts.filter(({ visibility, tags }) => visibility === Visibility.public && tags.length > 0);
    const users = tagged.length === 0 ? [] : this.sessions.users();
    if (users.length === 0) return new Map();
    const ids = tagged.map(({ id }) => id);
    return groupBy(await this.repository.tagFollowers(ids, users), (row) => row.entry_id);
  }

  /** Those who are connected and follow a tag of posts that are gone, by the tag. */
  private async followersOfTags(deletions: readonly EntryDeleted[]): Promise<Map<string, { follower_id: string }[]>> {
    const tagIds = unique(deletions.filter(isTagged).flatMap((deletion) => deletion.tagIds));
    const users = tagIds.length === 0 ? [] : this.sessions.users();
    if (users.length === 0) return new Map();
    return groupBy(await this.repository.followersOfTags(tagIds, users), (row) => row.tag_id);
  }

  /** The lists that somebody reads and that show an entry, by the entry. */
  private async listsShowing(entries: readonly EntryCreated[]): Promise<Map<string, string[]>> {
    const read = this.sessions.lists();
    if (read.length === 0) return new Map();
    const rows = await this.repository.listings(
      entries.map(({ statusId }) => statusId),
      read,
    );
    return idsBy(rows, (row) => row.entry_id);
  }

  /** The lists that somebody reads and that accounts are on, by the account. */
  private async listsWith(accountIds: readonly string[]): Promise<Map<string, string[]>> {
    const read = this.sessions.lists();
    if (read.length === 0 || accountIds.length === 0) return new Map();
    return idsBy(await this.repository.listsWith(unique(accountIds), read), (row) => row.account_id);
  }

  /** Visitors are spared nothing but threads of which they may not see all. */
  private async unlessSpared(receivers: readonly Receiver<EntryCreated>[]): Promise<Receiver<EntryCreated>[]> {
    const contained = !this.settings.get('instance.skip_thread_containment');
    const mayBeSpared = (showing: Showing) => contained || isSignedIn(showing);
    const showings = keyBy(receivers.map(showingTo).filter(mayBeSpared), keyOf);
    const wanted = showings.size === 0 ? [] : await this.repository.wanted([...showings.values()], contained);
    const byKey = keyBy(wanted, keyOf);
    return receivers.filter((receiver) => {
      const showing = showingTo(receiver);
      if (!mayBeSpared(showing)) return true;
      const found = byKey.get(keyOf(showing));
      return found !== undefined && !(found.apart && userOfTopic(receiver.topic) !== undefined);
    });
  }
}

/** What is shown to whom when a receiver gets an entry: a list is shown to its owner, for whom its own scope is enough. */
export function showingTo({ message, session, topic }: Receiver<EntryCreated>): Showing {
  const isOnList = listOfTopic(topic) !== undefined;
  return { id: message.statusId, viewerId: isOnList ? (session.auth?.accountId ?? '') : session.viewerId };
}

const APPEARING_ELSEWHERE: ReadonlySet<number> = new Set([Visibility.public, Visibility.local, Visibility.direct]);

/** Where an entry appears by what it is. */
function topicsOf({ authorId }: EntryCreated, facts: PostFacts | undefined): string[] {
  if (!facts) return [];
  const parties = facts.visibility === Visibility.direct ? unique([authorId, ...facts.addressed]) : [];
  return [...openTopics(facts), ...parties.map(directTopic)];
}

/** Whether it was in the streams of those who follow its tags. */
function isTagged({ visibility, isBoost, tagIds }: EntryDeleted): boolean {
  return visibility === Visibility.public && !isBoost && tagIds.length > 0;
}

/** Whether somebody may hear that a post is gone: of one that is only for some, those whom it named. */
function mayKnowOf(deletion: EntryDeleted, { auth }: Session): boolean {
  return isForFollowers(deletion) || deletion.addressedIds.includes(auth?.accountId ?? '');
}

function idsBy<Row extends { readonly list_id: string }>(
  rows: readonly Row[],
  key: (row: Row) => string,
): Map<string, string[]> {
  return new Map([...groupBy(rows, key)].map(([id, group]) => [id, group.map((row) => row.list_id)]));
}

function isForFollowers({ visibility }: EntryDeleted): boolean {
  return visibility !== Visibility.direct && visibility !== Visibility.list;
}

/** In whose followers' streams it was: the author's and the boosters'. */
function publishersOf({ authorId, boosterIds }: EntryDeleted): string[] {
  return [authorId, ...boosterIds];
}

function isSignedIn({ viewerId }: Showing): boolean {
  return viewerId !== '';
}

/** Tells showings apart. */
export function keyOf({ id, viewerId }: Showing): string {
  return `${id} ${viewerId}`;
}
