import { Injectable, Logger } from '@nestjs/common';

/** Called with each message of a channel, in the order they were published. */
export type BusListener = (message: unknown) => void | Promise<void>;

/**
 * Carries short-lived messages (ids for live streams, "settings changed") to whoever listens in this process. Nothing is
 * kept: a message without listeners is gone. Messages are plain JSON data.
 */
@Injectable()
export class Bus {
  private readonly logger = new Logger(Bus.name);
  private readonly channels = new Map<string, Set<BusListener>>();
  private readonly gapListeners = new Set<() => void | Promise<void>>();

  /** Hands the message to every listener of the channel. A listener that fails is logged and hurts nobody else. */
  publish(channel: string, message: unknown): void {
    for (const listener of [...(this.channels.get(channel) ?? [])]) void this.deliver(channel, listener, message);
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
   * Calls the listener whenever messages of other processes may have been lost: what is kept because of messages must then
   * be looked up anew. Call the returned function to stop.
   */
  onGap(fn: () => void | Promise<void>): () => void {
    const listener = () => fn();
    this.gapListeners.add(listener);
    return () => this.gapListeners.delete(listener);
  }

  /** Tells the listeners of {@link onGap}: for buses that can lose messages. */
  protected noteGap(): void {
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
