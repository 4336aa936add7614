import { Injectable } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import { brandKey, groupBy, Json, keyBy, unique } from '../../common/index.js';
import { ChatsService, ChatView } from '../../chats/index.js';
import { ReferenceApps } from '../../config/index.js';
import { AnnouncementView } from '../../instance/index.js';
import { NotificationView } from '../../notifications/index.js';
import { Brand } from '../../platform/index.js';
import { BatchConversationView, BatchStatusView, type StatusForViewer } from '../../statuses/index.js';
import { type Frame, StreamEvent } from '../connections/frame.js';
import { isDirectTopic } from '../connections/topics.js';
import { keyOf, type Receiver, statusForViewer } from './audience.service.js';
import type {
  AnnouncementMessage,
  ChatMessageStored,
  ConversationMessage,
  EntryCreated,
  EntryDeleted,
  FilterMessage,
  FollowChanged,
  NotificationMade,
  StreamMessage,
} from './stream.messages.js';

/** A frame for a receiver. */
export interface Delivery extends Receiver<StreamMessage> {
  readonly frame: Frame;
}

/** The event names of announcement messages (spec §10.17). */
const ANNOUNCEMENT_EVENTS = {
  announced: 'announcement',
  'announcement-reaction': 'announcement.reaction',
  'announcement-gone': 'announcement.delete',
} as const satisfies Record<AnnouncementMessage['kind'], string>;

/** Renders messages as frames (spec §6.1) by the views of the API, so that a socket and a page show the same. */
@Injectable()
export class Payloads {
  constructor(
    private readonly brand: Brand,
    private readonly statuses: BatchStatusView,
    private readonly conversations: BatchConversationView,
    private readonly notifications: NotificationView,
    private readonly accounts: AccountView,
    private readonly announced: AnnouncementView,
    private readonly chatRows: ChatsService,
    private readonly chatView: ChatView,
    private readonly apps: ReferenceApps,
  ) {}

  /**
   * `update`, and for edited posts `status.update`: the entry as each viewer sees it; nothing for viewers who may not
   * see it. Readers of direct posts also get `conversation`.
   */
  async updates(receivers: readonly Receiver<EntryCreated>[]): Promise<Delivery[]> {
    const views = await this.statuses.many(receivers.map(statusForViewer));
    const shown = new Map(receivers.map((receiver, at) => [receiver, views[at]]));
    const shownTo = (receiver: Receiver<EntryCreated>) => {
      const entry = shown.get(receiver);
      return entry && !entry.hiddenIn.has(receiver.readers.place) ? entry.json : undefined;
    };
    const edited = receivers.filter(({ message }) => message.isEdit);
    const made = receivers.filter(({ message }) => !message.isEdit);
    const direct = made.filter((receiver) => isDirectTopic(receiver.readers.topic) && shownTo(receiver));
    return [
      ...this.framed('update', made, shownTo),
      ...this.framed('status.update', edited, shownTo),
      ...(await this.conversationFrames(direct, shownTo)),
    ];
  }

  /**
   * `notification`: as the list of notifications shows it. One page for each receiver, for any number of notifications.
   */
  async notified(receivers: readonly Receiver<NotificationMade>[]): Promise<Delivery[]> {
    const messages = unique(receivers.map(({ message }) => message));
    const pages = [...groupBy(messages, ({ receiverId }) => receiverId)].map(async ([viewerId, received]) => {
      const ids = received.map(({ notificationId }) => notificationId);
      return [...(await this.notifications.byIds(ids, { viewerId }))];
    });
    const views = new Map((await Promise.all(pages)).flat());
    return this.framed('notification', receivers, ({ message }) => views.get(message.notificationId));
  }

  /** `conversation`: as the owner's list shows it. One page for each owner, for any number of conversations. */
  async conversationChanges(receivers: readonly Receiver<ConversationMessage>[]): Promise<Delivery[]> {
    const messages = unique(receivers.map(({ message }) => message));
    const pages = [...groupBy(messages, ({ ownerId }) => ownerId)].map(async ([ownerId, changes]) => {
      const ids = unique(changes.map(({ conversationId }) => conversationId));
      return [...(await this.conversations.byIds(ownerId, ids))];
    });
    const views = new Map((await Promise.all(pages)).flat());
    return this.framed('conversation', receivers, ({ message }) => views.get(message.conversationId));
  }

  /** `svc:chat_update`: the chat as each party has it, with the incoming message. */
  async chats(receivers: readonly Receiver<ChatMessageStored>[]): Promise<Delivery[]> {
    if (receivers.length === 0) return [];
    const rows = await this.chatRows.withMessages(unique(receivers.map(({ message }) => message.messageId)));
    const views = await this.chatView.forOwners(rows);
    const keys = rows.map(({ messageId: id, ownerId: viewerId }) => keyOf({ id, viewerId }));
    const viewBy = new Map(keys.map((key, at) => [key, views[at]]));
    const event = brandKey(this.brand.word, 'svc:chat_update');
    return this.framed(event, receivers, ({ message, readers }) =>
      viewBy.get(keyOf({ id: message.messageId, viewerId: ownerOf(readers.topic) })),
    );
  }

  /** `svc:follow_relationships_update`: with the counts that the API shows the follower (threat V11). */
  async follows(receivers: readonly Receiver<FollowChanged>[]): Promise<Delivery[]> {
    if (receivers.length === 0) return [];
    const messages = unique(receivers.map(({ message }) => message));
    const countsOf = await this.accounts.counts(
      messages.flatMap(({ followerId, followeeId }) => [followerId, followeeId]),
    );
    const views = new Map(messages.flatMap((message) => pair(message, followView(message, countsOf))));
    const event = brandKey(this.brand.word, 'svc:follow_relationships_update');
    return this.framed(event, receivers, ({ message }) => views.get(message));
  }

  /**
   * `announcement` as a visitor sees it, `announcement.reaction` with the number of reactions, and
   * `announcement.delete` with the id alone.
   */
  async announcements(receivers: readonly Receiver<AnnouncementMessage>[]): Promise<Delivery[]> {
    const byMessage = groupBy(receivers, ({ message }) => message);
    const messages = [...byMessage.keys()];
    const payloads = await this.payloadsOf(messages);
    return messages.flatMap((message) =>
      this.framed(ANNOUNCEMENT_EVENTS[message.kind], byMessage.get(message) ?? [], () => payloads.get(message)),
    );
  }

  /** `delete`: the id alone. */
  deletions(receivers: readonly Receiver<EntryDeleted>[]): Delivery[] {
    return this.framed('delete', receivers, ({ message }) => message.statusId);
  }

  /** `filters_changed`, without a payload: apps reload the filters. */
  filters(receivers: readonly Receiver<FilterMessage>[]): Delivery[] {
    const event = new StreamEvent('filters_changed');
    return receivers.map((receiver) => delivery(receiver, event));
  }

  private async conversationFrames(
    receivers: readonly Receiver<EntryCreated>[],
    shownTo: (receiver: Receiver<EntryCreated>) => Json | undefined,
  ): Promise<Delivery[]> {
    const byKey = keyBy(receivers, (receiver) => keyOf(statusForViewer(receiver)));
    const statusOf = (entry: StatusForViewer) => {
      const receiver = byKey.get(keyOf(entry));
      return receiver && shownTo(receiver);
    };
    const views = await this.conversations.many([...byKey.values()].map(statusForViewer), statusOf);
    const viewBy = new Map([...byKey.keys()].map((key, at) => [key, views[at]]));
    return this.framed('conversation', receivers, (receiver) => viewBy.get(keyOf(statusForViewer(receiver))));
  }

  private async payloadsOf(messages: readonly AnnouncementMessage[]): Promise<Map<AnnouncementMessage, Json | string>> {
    const shown = messages.filter((message) => message.kind === 'announced');
    const reacted = messages.filter((message) => message.kind === 'announcement-reaction');
    const gone = messages.filter((message) => message.kind === 'announcement-gone');
    const [views, reactions] = await Promise.all([
      this.announced.shared(shown.map(({ announcementId }) => announcementId)),
      this.announced.reactions(reacted),
    ]);
    return new Map<AnnouncementMessage, Json | string>([
      ...shown.flatMap((message) => pair(message, views.get(message.announcementId))),
      ...reacted.flatMap((message, at) => pair(message, reactions[at])),
      ...gone.flatMap((message) => pair(message, message.announcementId)),
    ]);
  }

  /**
   * Frames with JSON or plain text: one for each view and label, with the same bytes for all sessions that get it. Apps of
   * the reference get one in its shapes.
   */
  private framed<M extends StreamMessage>(
    event: string,
    receivers: readonly Receiver<M>[],
    viewFor: (receiver: Receiver<M>) => Json | string | undefined,
  ): Delivery[] {
    const made = new Map<Json | string, StreamEvent>();
    const ofReference = new Map<Json | string, StreamEvent>();
    return receivers.flatMap((receiver) => {
      const view = viewFor(receiver);
      if (!view) return [];
      const isForReference = this.apps.includes(receiver.readers.auth?.appName);
      const events = isForReference ? ofReference : made;
      const payload = () => (isForReference && view instanceof Json ? view.inReferenceShapes() : view);
      const streamEvent = events.get(view) ?? new StreamEvent(event, payload().toString());
      events.set(view, streamEvent);
      return [delivery(receiver, streamEvent)];
    });
  }
}

/** A relationship as its follower sees it; undefined when one of the two is gone. */
function followView(
  { followerId, followeeId, state }: FollowChanged,
  countsOf: Awaited<ReturnType<AccountView['counts']>>,
): Json | undefined {
  const [follower, following] = [followerId, followeeId].map((id) => {
    const shown = countsOf(id, followerId);
    return shown && { id, follower_count: shown.followers_count, following_count: shown.following_count };
  });
  return follower && following && Json.of({ state, follower, following });
}

/** The account in the name of a topic that belongs to one account. */
const ownerOf = (topic: string) => topic.slice(topic.indexOf(' ') + 1);

function pair<Message, View>(message: Message, view: View | undefined): [Message, View][] {
  return view === undefined ? [] : [[message, view]];
}

/** The event with the readers' label of the stream. */
function delivery<M extends StreamMessage>(receiver: Receiver<M>, event: StreamEvent): Delivery {
  const { message, readers, sessions } = receiver;
  return { message, readers, sessions, frame: event.frame(readers.label) };
}
