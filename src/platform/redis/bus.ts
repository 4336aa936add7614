import { Injectable, Logger } from '@nestjs/common';

/** The beginning of the names of channels that other processes hear only while they {@link Bus.join} them. */
export const LIVE = 'live:';

/** Called with each message of a channel, in the order they were published. */
export type BusListener = (message: unknown) => void | Promise<void>;

/**
 * Carries short-lived messages (ids for live streams, "settings changed") to the listeners in this process. Stores
 * none: a message without listeners is lost. Messages are plain JSON data.
 */
@Injectable()
export class Bus {
  private readonly logger = new Logger(Bus.name);
  private readonly channels = new Map<string, Set<BusListener>>();
  private readonly gapListeners = new Set<() => void | Promise<void>>();

  /** Passes the message to every listener of the channel. Logs a failing listener and goes on. */
  publish(channel: string, message: unknown): void {
    this.publishHere(channel, message);
  }

  /** Passes the message to the listeners in this process only. */
  publishHere(channel: string, message: unknown): void {
    for (const listener of [...(this.channels.get(channel) ?? [])]) void this.deliver(channel, listener, message);
  }

  /**
   * Sends the message to the listeners of the other processes only. Resolves to true when Redis has it: every later
   * {@link catchUp} of the others waits for it. Resolves to false when the message may be lost.
   */
  publishToOthers(_channel: string, _message: unknown): Promise<boolean> {
    return Promise.resolve(true);
  }

  /**
   * Resolves to true when this process has received every message that another process sent before the call; to false
   * when it may have missed one.
   */
  catchUp(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** Starts listening; call the returned function to stop. */
  subscribe(channel: string, fn: BusListener): () => void {
    const listener: BusListener = (message) => fn(message); // a function subscribed twice is two subscriptions
    const listeners = this.channels.get(channel) ?? new Set();
    this.channels.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.channels.get(channel) === listeners) this.channels.delete(channel);
    };
  }

  /**
   * Starts listening to a {@link LIVE} channel; resolves when messages of other processes arrive, too. Those that were
   * sent before are no gap. Call the function that it resolves to to stop.
   */
  join(channel: string, fn: BusListener): Promise<() => void> {
    return Promise.resolve(this.subscribe(channel, fn));
  }

  /**
   * Calls the listener when messages of other processes may have been lost: state that depends on messages must be read
   * again then. Call the returned function to stop.
   */
  onGap(fn: () => void | Promise<void>): () => void {
    const listener = () => fn();
    this.gapListeners.add(listener);
    return () => this.gapListeners.delete(listener);
  }

  /** Tells the listeners of {@link onGap}. */
  noteGap(): void {
    for (const listener of [...this.gapListeners]) void this.deliver('(gap)', listener, undefined);
  }

  private async deliver(channel: string, listener: BusListener, message: unknown): Promise<void> {
    try {
      await listener(message);
    } catch (error) {
      this.logger.error({ err: error, channel }, 'A bus listener failed');
    }
  }
}
