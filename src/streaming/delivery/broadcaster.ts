import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { groupBy } from '../../common/index.js';
import { ReadCaches } from '../../platform/index.js';
import { LiveChannels } from '../connections/live-channels.js';
import { Sessions } from '../connections/sessions.js';
import { AudienceService } from './audience.service.js';
import { type Delivery, Payloads } from './payloads.js';
import { receivedBy, Runs } from './runs.js';
import { type AnnouncementMessage, STREAM_CHANNEL, type StreamMessage } from './stream.messages.js';

/** The largest number of messages in one batch. */
const BATCH = 50;
/** The next batch has about this number of deliveries at most: more would hold up other work of the process. */
const DELIVERIES = 5_000;
/** More messages than this wait only in a fault. They are dropped: apps find the posts in their timelines. */
const MAX_WAITING = 5_000;

/** How long frames are written before other work of the process gets its turn. */
const TURN_MS = 20;
/** The clock is read behind so many writes. */
const LOOK_EVERY = 16;
/** The longest pause behind a batch, in which the next one gathers. */
const PAUSE_MS = 25;

/**
 * Sends the messages of the bus to the sessions of this process, in the order of the messages. While one batch is being
 * sent the next one gathers, so a busier server pays less for each message: every session gets its frames of a batch in
 * one write.
 */
@Injectable()
export class Broadcaster implements OnModuleInit {
  private readonly logger = new Logger(Broadcaster.name);
  private readonly waiting: StreamMessage[] = [];
  private isSending = false;
  /** The number of messages in the next batch: fewer where each is delivered to many. */
  private batchSize = BATCH;

  constructor(
    private readonly channels: LiveChannels,
    private readonly sessions: Sessions,
    private readonly audience: AudienceService,
    private readonly payloads: Payloads,
    private readonly caches: ReadCaches,
  ) {}

  onModuleInit(): void {
    this.channels.listen(STREAM_CHANNEL, (message) => this.accept(message as StreamMessage));
  }

  private accept(message: StreamMessage): void {
    if (this.sessions.size === 0 || this.waiting.length >= MAX_WAITING) return;
    this.waiting.push(message);
    if (!this.isSending) void this.sendWaiting();
  }

  private async sendWaiting(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      try {
        const batch = this.waiting.splice(0, this.batchSize);
        const spentMs = await this.caches.readApart(() => this.send(batch));
        // Writing takes at most about half of the time of this process, and the fewer writes, the less.
        if (spentMs >= 1) await delay(Math.min(spentMs, PAUSE_MS));
      } catch (error) {
        this.logger.error({ err: error }, 'Some live updates were lost');
      }
    }
    this.isSending = false;
  }

  /** Returns the milliseconds that writing took. */
  private async send(batch: readonly StreamMessage[]): Promise<number> {
    const deliveries = await Promise.all([
      this.updates(batch),
      this.deletions(batch),
      this.notifications(batch),
      this.chats(batch),
      this.follows(batch),
      this.conversations(batch),
      this.announcements(batch),
    ]);
    const all = [...deliveries.flat(), ...this.filters(batch)];
    this.batchSize = Math.min(BATCH, Math.ceil((DELIVERIES * batch.length) / Math.max(1, all.length)));
    const byMessage = groupBy(all, ({ message }) => message);
    return this.write(batch.flatMap((message) => byMessage.get(message) ?? []));
  }

  private async write(deliveries: readonly Delivery[]): Promise<number> {
    const runs = new Runs();
    let [spentMs, count] = [0, 0];
    let start = performance.now();
    for (const [session, received] of receivedBy(deliveries)) {
      const frames = runs.for(session, received);
      if (frames) session.send(frames);
      count += 1;
      if (count % LOOK_EVERY > 0) continue;
      const elapsedMs = performance.now() - start;
      if (elapsedMs < TURN_MS) continue;
      spentMs += elapsedMs;
      await nextTurn();
      start = performance.now();
    }
    return spentMs + performance.now() - start;
  }

  private async updates(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const created = batch.filter((message) => message.kind === 'created');
    return created.length === 0 ? [] : this.payloads.updates(await this.audience.ofEntries(created));
  }

  private async deletions(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const deleted = batch.filter((message) => message.kind === 'deleted');
    return this.payloads.deletions(await this.audience.ofDeletions(deleted));
  }

  private async notifications(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const notified = batch.filter((message) => message.kind === 'notified');
    return this.payloads.notified(notified.flatMap((message) => this.audience.ofNotification(message)));
  }

  private async chats(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const stored = batch.filter((message) => message.kind === 'chat');
    return this.payloads.chats(stored.flatMap((message) => this.audience.ofChat(message)));
  }

  private async follows(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const changed = batch.filter((message) => message.kind === 'follow');
    return this.payloads.follows(changed.flatMap((message) => this.audience.ofFollow(message)));
  }

  private async conversations(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const changed = batch.filter((message) => message.kind === 'conversation');
    return this.payloads.conversationChanges(changed.flatMap((message) => this.audience.ofConversation(message)));
  }

  private filters(batch: readonly StreamMessage[]): Delivery[] {
    const changed = batch.filter((message) => message.kind === 'filters');
    return this.payloads.filters(changed.flatMap((message) => this.audience.ofFilters(message)));
  }

  private async announcements(batch: readonly StreamMessage[]): Promise<Delivery[]> {
    const messages = batch.filter(isAnnouncementMessage);
    return this.payloads.announcements(messages.flatMap((message) => this.audience.ofAnnouncement(message)));
  }
}

function isAnnouncementMessage(message: StreamMessage): message is AnnouncementMessage {
  return 'announcementId' in message;
}
