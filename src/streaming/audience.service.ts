import { Injectable } from '@nestjs/common';
import { groupBy, keyBy, unique } from '../common/index.js';
import { type Showing, Visibility } from '../statuses/index.js';
import { AudienceRepository } from './audience.repository.js';
import { type FollowerRow, NAMED_FOLLOWERS, type PostFacts } from './audience.sql.js';
import type { Session } from './session.js';
import { Sessions } from './sessions.js';
import type {
  AnnouncementNews,
  EntryCreated,
  EntryDeleted,
  FollowChanged,
  NotificationMade,
} from './stream.messages.js';
import { directTopic, mayHaveShown, notificationsTopic, openTopics, userTopic } from './topics.js';

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
  ) {}

  /** Who reads the streams in which entries appear and does not want to be spared them; not who may see them. */
  async ofEntries(entries: readonly EntryCreated[]): Promise<Receiver<EntryCreated>[]> {
    const [followers, facts] = await Promise.all([
      this.followersOf(entries.map(({ authorId }) => authorId)),
      this.factsOf(entries),
    ]);
    const receivers = entries.flatMap((entry) =>
      this.readersOf(entry, entryTopics(entry, followers.get(entry.authorId) ?? [], facts.get(entry.statusId))),
    );
    return this.unlessSpared(receivers);
  }

  /** Who may have been sent what is gone now, each socket once. */
  async ofDeletions(deletions: readonly EntryDeleted[]): Promise<Receiver<EntryDeleted>[]> {
    const followers = await this.followersOf(deletions.filter(isForFollowers).flatMap(publishersOf));
    return deletions.flatMap((deletion) => {
      const publishers = publishersOf(deletion);
      const readers = isForFollowers(deletion) ? publishers.flatMap((id) => followers.get(id) ?? []) : [];
      const people = unique([...publishers, ...deletion.addressedIds, ...readers.map((row) => row.follower_id)]);
      const topics = [...people.flatMap((id) => [userTopic(id), directTopic(id)]), ...this.openTopicsOf(deletion)];
      return [...keyBy(this.readersOf(deletion, topics), ({ session }) => session).values()];
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

  private async unlessSpared(receivers: readonly Receiver<EntryCreated>[]): Promise<Receiver<EntryCreated>[]> {
    const showings = keyBy(receivers.map(showingTo).filter(isSignedIn), keyOf);
    const wanted = showings.size === 0 ? [] : await this.repository.wanted([...showings.values()]);
    const keys = new Set(wanted.map(keyOf));
    return receivers.filter((receiver) => {
      const showing = showingTo(receiver);
      return !isSignedIn(showing) || keys.has(keyOf(showing));
    });
  }
}

/** What is shown to whom when a receiver gets an entry. */
export function showingTo({ message, session }: Receiver<EntryCreated>): Showing {
  return { id: message.statusId, viewerId: session.viewerId };
}

const APPEARING_ELSEWHERE: ReadonlySet<number> = new Set([Visibility.public, Visibility.local, Visibility.direct]);

function entryTopics(entry: EntryCreated, followers: readonly FollowerRow[], facts: PostFacts | undefined): string[] {
  const readers = followers.filter(({ reblogs }) => reblogs || !entry.isBoost).map((row) => row.follower_id);
  const topics = [entry.authorId, ...readers].map(userTopic);
  if (!facts) return topics;
  const parties = facts.visibility === Visibility.direct ? unique([entry.authorId, ...facts.addressed]) : [];
  return [...topics, ...openTopics(facts), ...parties.map(directTopic)];
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
