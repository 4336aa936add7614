import { Inject, Injectable } from '@nestjs/common';
import { type AccountJson, AccountView } from '../accounts/index.js';
import { brandKey, Json, keyBy, unique } from '../common/index.js';
import { NotificationView } from '../notifications/index.js';
import { ENV, type Env } from '../platform/index.js';
import { SharedStatusView } from '../statuses/index.js';
import { keyOf, type Receiver, showingTo } from './audience.service.js';
import type { EntryCreated, EntryDeleted, FollowChanged, NotificationMade, StreamMessage } from './stream.messages.js';

/** What a receiver is sent. */
export interface Delivery extends Receiver<StreamMessage> {
  readonly frame: Buffer;
}

/** Turns what happened into frames (spec §6.1) by the views, so that a socket and a page never disagree. */
@Injectable()
export class Payloads {
  private readonly followEvent: string;

  constructor(
    @Inject(ENV) { brand }: Env,
    private readonly statuses: SharedStatusView,
    private readonly notifications: NotificationView,
    private readonly accounts: AccountView,
  ) {
    this.followEvent = brandKey(brand, 'svc:follow_relationships_update');
  }

  /** `update`: the entry as each socket's user sees it; nothing for those who may not. */
  async updates(receivers: readonly Receiver<EntryCreated>[]): Promise<Delivery[]> {
    const showings = keyBy(receivers.map(showingTo), keyOf);
    const views = await this.statuses.many([...showings.values()]);
    const byKey = new Map([...showings.keys()].map((key, at) => [key, views[at]]));
    return framed('update', receivers, (receiver) => byKey.get(keyOf(showingTo(receiver))));
  }

  /** `notification`: as the list of notifications shows it. */
  async notified(receivers: readonly Receiver<NotificationMade>[]): Promise<Delivery[]> {
    const views = await viewsOf(receivers, (message) => this.notification(message));
    return framed('notification', receivers, ({ message }) => views.get(message));
  }

  /** `svc:follow_relationships_update`: with the numbers that the follower gets to see elsewhere (threat V11). */
  async follows(receivers: readonly Receiver<FollowChanged>[]): Promise<Delivery[]> {
    const views = await viewsOf(receivers, (message) => this.follow(message));
    return framed(this.followEvent, receivers, ({ message }) => views.get(message));
  }

  /** `delete`: the bare id, and no stream. */
  deletions(receivers: readonly Receiver<EntryDeleted>[]): Delivery[] {
    const frames = new Map<string, Buffer>();
    return receivers.map((receiver) => {
      const { statusId } = receiver.message;
      const frame = frames.get(statusId) ?? Buffer.from(JSON.stringify({ event: 'delete', payload: statusId }));
      frames.set(statusId, frame);
      return { ...receiver, frame };
    });
  }

  private async notification({ notificationId, receiverId }: NotificationMade): Promise<Json | undefined> {
    return (await this.notifications.many([notificationId], { viewerId: receiverId }))[0];
  }

  private async follow({ followerId, followeeId, state }: FollowChanged): Promise<Json | undefined> {
    const accounts = await this.accounts.many([followerId, followeeId], { viewerId: followerId });
    const [follower, followee] = [accounts.get(followerId), accounts.get(followeeId)];
    return follower && followee && Json.of({ state, follower: counts(follower), following: counts(followee) });
  }
}

/** The views of messages that are sent to one user each. */
async function viewsOf<Message>(
  receivers: readonly Receiver<Message>[],
  view: (message: Message) => Promise<Json | undefined>,
): Promise<ReadonlyMap<Message, Json | undefined>> {
  const messages = unique(receivers.map(({ message }) => message));
  return new Map(await Promise.all(messages.map(async (message) => [message, await view(message)] as const)));
}

function counts(account: Json): { id: string; follower_count: number; following_count: number } {
  const { id, followers_count: followers, following_count: following } = account.parse() as AccountJson;
  return { id, follower_count: followers, following_count: following };
}

/** Frames with a payload of JSON: for each view and label one, and the same bytes for all sockets that get it. */
function framed<M extends StreamMessage>(
  event: string,
  receivers: readonly Receiver<M>[],
  viewFor: (receiver: Receiver<M>) => Json | undefined,
): Delivery[] {
  const made = new Map<Json, LabelledFrames>();
  return receivers.flatMap((receiver) => {
    const view = viewFor(receiver);
    const label = receiver.session.labels.get(receiver.topic);
    if (!view || label === undefined) return []; // a client may have left the stream meanwhile
    const frames = made.get(view) ?? new LabelledFrames(event, view);
    made.set(view, frames);
    return [{ ...receiver, frame: frames.of(label) }];
  });
}

/** The frames of one event, which differ in their `stream` only. */
class LabelledFrames {
  private readonly made = new Map<string, Buffer>();
  private readonly rest: string;

  constructor(event: string, view: Json) {
    this.rest = `"event":"${event}","payload":${JSON.stringify(view.toString())}}`;
  }

  of(label: string): Buffer {
    const frame = this.made.get(label) ?? Buffer.from(`{"stream":${label},${this.rest}`);
    this.made.set(label, frame);
    return frame;
  }
}
