import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Auth, Busy } from '../../common/index.js';
import { type HttpAdapter, Metrics } from '../../platform/index.js';
import { ConnectionLimits } from './connection-limits.js';
import { Readers } from './readers.js';
import { MAX_BUFFERED_IN_ALL, type Session } from './session.js';
import { listOfTopic, type Subscription, userOfTopic } from './topics.js';

/** The number of streams that one socket may read (threat W3). */
const MAX_SUBSCRIPTIONS = 50;

export type SubscribeResult = 'success' | 'ignored' | 'full';

const NO_READERS: ReadonlyMap<string, Readers> = new Map();

/** The open connections of this process, and the topics they read. */
@Injectable()
export class Sessions implements Iterable<Session>, OnApplicationBootstrap {
  private readonly open = new Set<Session>();
  private readonly byTopic = new Map<string, Map<string, Readers>>();
  private isAccepting = false;
  private onEmpty: (() => void) | undefined;

  constructor(
    metrics: Metrics,
    private readonly limits: ConnectionLimits,
    private readonly http: HttpAdapterHost,
  ) {
    const count = (kind: Session['kind']) => [...this.open].filter((session) => session.kind === kind).length;
    metrics.gauges('svc_streaming_connections', 'Open live streams', 'kind', () => {
      return { websocket: count('websocket'), event_stream: count('event_stream') };
    });
  }

  onApplicationBootstrap(): void {
    this.isAccepting = true;
    const adapter = this.http.httpAdapter as HttpAdapter | undefined; // operator commands have none
    adapter?.http.gate.countStreams(() => this.unsentBytes);
  }

  get size(): number {
    return this.open.size;
  }

  /** Bytes that clients have not read. */
  get unsentBytes(): number {
    return [...this.open].reduce((sum, { unsentBytes }) => sum + unsentBytes, 0);
  }

  /** Drops the slowest clients while all together leave more unread than this process may hold (threat W3). */
  dropSlowest(): void {
    let unsent = this.unsentBytes;
    if (unsent <= MAX_BUFFERED_IN_ALL) return;
    const slowest = [...this.open].map((session) => ({ session, bytes: session.unsentBytes }));
    slowest.sort((a, b) => b.bytes - a.bytes);
    for (const { session, bytes } of slowest) {
      if (unsent <= MAX_BUFFERED_IN_ALL) return;
      unsent -= bytes;
      session.drop();
    }
  }

  /** @throws Busy while the server starts or stops */
  requireAccepting(): void {
    if (!this.isAccepting) throw new Busy();
  }

  /** Refuses every new connection from now on. */
  stopAccepting(): void {
    this.isAccepting = false;
  }

  [Symbol.iterator](): Iterator<Session> {
    return this.open[Symbol.iterator]();
  }

  addSession(session: Session): void {
    this.open.add(session);
    this.limits.countSession(session);
  }

  /**
   * Assigns a visitor's connection to an account; returns false when the account has too many. Ignores a closed one.
   */
  authenticateSession(session: Session, auth: Auth): boolean {
    if (!this.open.has(session)) return true;
    if (!this.limits.reassign(session, auth)) return false;
    for (const readers of [...session.subscriptions.values()]) {
      this.leave(session, readers);
      this.join(session, readers);
    }
    return true;
  }

  /** Forgets a closed connection. */
  removeSession(session: Session): void {
    for (const readers of session.subscriptions.values()) this.leave(session, readers);
    if (this.open.delete(session)) this.limits.releaseSession(session);
    if (this.open.size === 0) this.onEmpty?.();
  }

  /** Waits until all connections are closed, for at most `withinMs` milliseconds. */
  async untilEmpty(withinMs: number): Promise<void> {
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      this.onEmpty = finish;
    });
  }

  /** Returns `ignored` for a topic that the session reads already. */
  subscribe(session: Session, subscription: Subscription): SubscribeResult {
    if (!this.open.has(session) || session.subscriptions.has(subscription.topic)) return 'ignored';
    if (session.subscriptions.size >= MAX_SUBSCRIPTIONS) return 'full';
    this.join(session, subscription);
    return 'success';
  }

  /** Returns `ignored` for a topic that the session does not read. */
  unsubscribe(session: Session, { topic }: Pick<Subscription, 'topic'>): SubscribeResult {
    const readers = session.subscriptions.get(topic);
    if (!readers) return 'ignored';
    this.leave(session, readers);
    return 'success';
  }

  /** The readers of a topic: each with all sessions that get the same frames. */
  readersOf(topic: string): Iterable<Readers> {
    return (this.byTopic.get(topic) ?? NO_READERS).values();
  }

  /** The sessions that read a topic. */
  on(topic: string): Session[] {
    return [...this.readersOf(topic)].flatMap(({ sessions }) => sessions);
  }

  /** The topics that at least one session reads. */
  topics(): Iterable<string> {
    return this.byTopic.keys();
  }

  /** The accounts whose `user` stream is read. */
  userIds(): string[] {
    return [...this.byTopic.keys()].map(userOfTopic).filter((id) => id !== undefined);
  }

  /** The lists whose stream is read. */
  listIds(): string[] {
    return [...this.byTopic.keys()].map(listOfTopic).filter((id) => id !== undefined);
  }

  private join(session: Session, subscription: Subscription): void {
    const { topic, label } = subscription;
    const ofTopic = this.byTopic.get(topic) ?? new Map<string, Readers>();
    this.byTopic.set(topic, ofTopic);
    const key = Readers.keyOf(label, session.auth);
    const readers = ofTopic.get(key) ?? new Readers(subscription, key, session.auth);
    ofTopic.set(key, readers);
    readers.add(session);
    session.subscriptions.set(topic, readers);
  }

  private leave(session: Session, readers: Readers): void {
    readers.delete(session);
    session.subscriptions.delete(readers.topic);
    if (readers.size > 0) return;
    const ofTopic = this.byTopic.get(readers.topic);
    ofTopic?.delete(readers.key);
    if (ofTopic?.size === 0) this.byTopic.delete(readers.topic);
  }
}
