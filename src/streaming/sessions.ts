import { Injectable } from '@nestjs/common';
import type { Auth } from '../common/index.js';
import { Metrics } from '../platform/index.js';
import { Places } from './places.js';
import type { Session } from './session.js';
import { listOfTopic, type Subscription, userOfTopic } from './topics.js';

/** Streams that one socket may read (threat W3). */
const MAX_SUBSCRIPTIONS = 50;

export type SubscribeResult = 'success' | 'ignored' | 'full';

const NOBODY: ReadonlySet<Session> = new Set();

/** The open connections of this process, and what they read. */
@Injectable()
export class Sessions implements Iterable<Session> {
  private readonly open = new Set<Session>();
  private readonly byTopic = new Map<string, Set<Session>>();
  private isEnding = false;
  private onEmpty: (() => void) | undefined;

  constructor(
    metrics: Metrics,
    private readonly places: Places,
  ) {
    const count = (kind: Session['kind']) => [...this.open].filter((session) => session.kind === kind).length;
    metrics.gauges('svc_streaming_connections', 'Open live streams', 'kind', () => {
      return { websocket: count('websocket'), event_stream: count('event_stream') };
    });
  }

  get size(): number {
    return this.open.size;
  }

  /** Whether no more connections are to be opened. */
  get areEnding(): boolean {
    return this.isEnding;
  }

  /** From now on no connection is opened. */
  end(): void {
    this.isEnding = true;
  }

  [Symbol.iterator](): Iterator<Session> {
    return this.open[Symbol.iterator]();
  }

  add(session: Session): void {
    this.open.add(session);
    this.places.enter(session);
  }

  /** Gives a visitor's connection to an account; false when that has as many as it may. One that is closed stays nobody's. */
  identify(session: Session, auth: Auth): boolean {
    return !this.open.has(session) || this.places.identify(session, auth);
  }

  /** Forgets a socket that is closed. */
  remove(session: Session): void {
    for (const topic of session.labels.keys()) this.leave(session, topic);
    session.labels.clear();
    if (this.open.delete(session)) this.places.leave(session);
    if (this.open.size === 0) this.onEmpty?.();
  }

  /** Waits until all sockets are closed, but not longer than so many milliseconds. */
  async emptied(withinMs: number): Promise<void> {
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** `ignored` for a topic that is read already. */
  subscribe(session: Session, { topic, label }: Subscription): SubscribeResult {
    if (!this.open.has(session) || session.labels.has(topic)) return 'ignored';
    if (session.labels.size >= MAX_SUBSCRIPTIONS) return 'full';
    session.labels.set(topic, label);
    const readers = this.byTopic.get(topic) ?? new Set();
    this.byTopic.set(topic, readers.add(session));
    return 'success';
  }

  /** `ignored` for a topic that is not read. */
  unsubscribe(session: Session, { topic }: Pick<Subscription, 'topic'>): SubscribeResult {
    if (!session.labels.delete(topic)) return 'ignored';
    this.leave(session, topic);
    return 'success';
  }

  /** Those who read a topic. */
  on(topic: string): ReadonlySet<Session> {
    return this.byTopic.get(topic) ?? NOBODY;
  }

  /** The topics that anybody reads. */
  topics(): Iterable<string> {
    return this.byTopic.keys();
  }

  /** Accounts whose `user` stream somebody reads. */
  users(): string[] {
    return [...this.byTopic.keys()].map(userOfTopic).filter((id) => id !== undefined);
  }

  /** Lists that somebody reads. */
  lists(): string[] {
    return [...this.byTopic.keys()].map(listOfTopic).filter((id) => id !== undefined);
  }

  private leave(session: Session, topic: string): void {
    const readers = this.byTopic.get(topic);
    readers?.delete(session);
    if (readers?.size === 0) this.byTopic.delete(topic);
  }
}
