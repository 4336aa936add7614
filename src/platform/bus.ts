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

  private async deliver(channel: string, listener: BusListener, message: unknown): Promise<void> {
    try {
      await listener(message);
    } catch (error) {
      this.logger.error({ err: error, channel }, 'A bus listener failed');
    }
  }
}
