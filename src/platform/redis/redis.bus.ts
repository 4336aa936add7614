import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Bus, type BusListener, LIVE } from './bus.js';
import { FAIL_FAST, type RedisConnections } from './redis.js';

/** Carries all channels that every process listens to. */
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
 * messages, and they may have missed its own: both report a gap to their listeners. A live channel has one of its own
 * in Redis, so that processes that have not joined it are not woken.
 */
export class RedisBus extends Bus {
  private readonly id = randomUUID();
  private readonly subscriber: Redis;
  private hasLostMessages = false;
  private isListening = false;
  /** The live channels that this process has joined, with the number of their listeners. */
  private readonly joined = new Map<string, number>();

  constructor(private readonly redis: RedisConnections) {
    super();
    redis.commands.on('ready', () => this.admitLoss());
    this.subscriber = redis.open({ ...FAIL_FAST, autoResubscribe: false });
    this.subscriber.on('message', (_channel: string, text: string) => this.receive(text));
    this.subscriber.on('ready', () => void this.listen());
    this.subscriber.on('close', () => (this.isListening = false));
  }

  override publish(channel: string, message: unknown): void {
    this.publishHere(channel, message);
    void this.send({ from: this.id, channel, message });
  }

  override publishToOthers(channel: string, message: unknown): Promise<boolean> {
    return this.send({ from: this.id, channel, message });
  }

  /** Without Redis it only hears this process, until Redis is back. */
  override async join(channel: string, fn: BusListener): Promise<() => void> {
    const leave = this.subscribe(channel, fn);
    this.joined.set(channel, (this.joined.get(channel) ?? 0) + 1);
    await this.redis.isAnswered(this.subscriber, () => this.subscriber.subscribe(nameOf(channel)));
    return () => {
      leave();
      this.quit(channel);
    };
  }

  /** Redis answers on the connection of the messages, so its answer comes after all that it had received before. */
  override async catchUp(): Promise<boolean> {
    return this.isListening && (await this.redis.isAnswered(this.subscriber, () => this.subscriber.ping()));
  }

  private quit(channel: string): void {
    const left = (this.joined.get(channel) ?? 1) - 1;
    if (left > 0) {
      this.joined.set(channel, left);
      return;
    }
    this.joined.delete(channel);
    void this.redis.isAnswered(this.subscriber, () => this.subscriber.unsubscribe(nameOf(channel)));
  }

  private async send(envelope: Envelope): Promise<boolean> {
    const { commands } = this.redis;
    const name = nameOf(envelope.channel);
    const isSent = await this.redis.isAnswered(commands, () => commands.publish(name, JSON.stringify(envelope)));
    if (!isSent) this.hasLostMessages = true;
    return isSent;
  }

  private admitLoss(): void {
    if (!this.hasLostMessages) return;
    this.hasLostMessages = false;
    void this.send({ from: this.id });
  }

  private async listen(): Promise<void> {
    const names = [CHANNEL, ...[...this.joined.keys()].map(nameOf)];
    if (!(await this.redis.isAnswered(this.subscriber, () => this.subscriber.subscribe(...names)))) return;
    this.noteGap();
    this.isListening = true;
  }

  private receive(text: string): void {
    const envelope = read(text);
    if (!envelope || envelope.from === this.id) return;
    if (envelope.channel === undefined) this.noteGap();
    else this.publishHere(envelope.channel, envelope.message);
  }
}

/** The name of a channel in Redis. */
function nameOf(channel = ''): string {
  return channel.startsWith(LIVE) ? `${CHANNEL}:${channel}` : CHANNEL;
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
