import { randomUUID } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import { Bus } from './bus.js';
import type { RedisConnections } from './redis.js';

const CHANNEL = 'svc:bus';

interface Envelope {
  readonly from: string;
  readonly channel: string;
  readonly message: unknown;
}

/**
 * The bus of several processes: what one publishes reaches the listeners of all. The own listeners are called directly, so
 * a process alone with a Redis that is away loses nothing.
 */
export class RedisBus extends Bus implements OnModuleInit {
  private readonly id = randomUUID();

  constructor(private readonly redis: RedisConnections) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const { subscriber } = this.redis;
    subscriber.on('message', (_channel: string, text: string) => this.receive(text));
    // Not awaited when Redis is away: the client subscribes as soon as it is back.
    const subscribed = subscriber.subscribe(CHANNEL).catch(() => undefined);
    if (subscriber.status === 'ready') await subscribed;
  }

  override publish(channel: string, message: unknown): void {
    super.publish(channel, message);
    const envelope: Envelope = { from: this.id, channel, message };
    this.redis.commands.publish(CHANNEL, JSON.stringify(envelope)).catch(() => undefined); // its absence is logged once
  }

  private receive(text: string): void {
    const { from, channel, message } = JSON.parse(text) as Envelope;
    if (from !== this.id) super.publish(channel, message);
  }
}
