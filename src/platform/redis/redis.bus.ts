import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Bus } from './bus.js';
import { FAIL_FAST, type RedisConnections } from './redis.js';

const CHANNEL = 'svc:bus';

/** A message between processes; without a channel it says that the sender's earlier messages were lost. */
interface Envelope {
  readonly from: string;
  readonly channel?: string;
  readonly message?: unknown;
}

/**
 * The bus of several processes: what one publishes reaches the listeners of all. The own listeners are called directly,
 * also without Redis. A process that connects to the others, for the first time or again, has missed earlier
 * messages, and they may have missed its own: both report a gap to their listeners.
 */
export class RedisBus extends Bus {
  private readonly id = randomUUID();
  private readonly subscriber: Redis;
  private hasLostMessages = false;
  private isListening = false;

  constructor(private readonly redis: RedisConnections) {
    super();
    redis.commands.on('ready', () => this.admitLoss());
    this.subscriber = redis.open({ ...FAIL_FAST, autoResubscribe: false });
    this.subscriber.on('message', (_channel: string, text: string) => this.receive(text));
    this.subscriber.on('ready', () => void this.listen());
    this.subscriber.on('close', () => (this.isListening = false));
  }

  override publish(channel: string, message: unknown): void {
    super.publish(channel, message);
    void this.send({ from: this.id, channel, message });
  }

  override publishToOthers(channel: string, message: unknown): Promise<boolean> {
    return this.send({ from: this.id, channel, message });
  }

  /** Redis answers on the connection of the messages, so its answer comes after all that it had received before. */
  override async catchUp(): Promise<boolean> {
    return this.isListening && (await this.redis.isAnswered(this.subscriber, () => this.subscriber.ping()));
  }

  private async send(envelope: Envelope): Promise<boolean> {
    const { commands } = this.redis;
    const isSent = await this.redis.isAnswered(commands, () => commands.publish(CHANNEL, JSON.stringify(envelope)));
    if (!isSent) this.hasLostMessages = true;
    return isSent;
  }

  private admitLoss(): void {
    if (!this.hasLostMessages) return;
    this.hasLostMessages = false;
    void this.send({ from: this.id });
  }

  private async listen(): Promise<void> {
    if (!(await this.redis.isAnswered(this.subscriber, () => this.subscriber.subscribe(CHANNEL)))) return;
    this.noteGap();
    this.isListening = true;
  }

  private receive(text: string): void {
    const envelope = read(text);
    if (!envelope || envelope.from === this.id) return;
    if (envelope.channel === undefined) this.noteGap();
    else super.publish(envelope.channel, envelope.message);
  }
}

/** Undefined for foreign messages on the channel, which must not end the process. */
function read(text: string): Envelope | undefined {
  try {
    const said = JSON.parse(text) as Partial<Envelope> | null;
    return typeof said?.from === 'string' ? (said as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
