import { setTimeout as delay } from 'node:timers/promises';
import { BullModule, InjectQueue, OnQueueCompleted, Process, Processor } from '@nestjs/bull';
import { type DynamicModule, Injectable, Logger, Module } from '@nestjs/common';
import type { Job, Queue, QueueOptions } from 'bull';
import type { Redis } from 'ioredis';
import { FAIL_FAST, PATIENT, RedisConnections } from '../redis/redis.js';
import { JobCarrier } from './carrier.js';
import type { QueueName } from './job.js';

const PREFIX = 'svc:bull';
/** Bull's own recovery of dead workers only keeps its lists clean: the leases of the rows decide which worker runs a job. */
const SETTINGS = { lockDuration: 30_000, stalledInterval: 5_000, maxStalledCount: 10, retryProcessDelay: 1_000 };
const WAKE_MS = 2_000;
const STOP_MS = 2_000;
/** How long a stop waits for the answers to Bull's first commands, also on a busy machine. */
const FIRST_ANSWERS_MS = 2_000;

/** The one queue of Bull. */
const WAKE_UPS = 'wake-ups';

interface WakeUp {
  readonly queues: readonly QueueName[];
}

type OnWake = (queues: readonly QueueName[]) => void;

/**
 * One connection for sending, one for events and a waiting one, as Bull requires.
 * Bull handles no failure of the first command on each, which would end the process: they are sent when Redis is there,
 * and answered before a connection closes.
 */
@Injectable()
class BullConnections {
  private readonly sender: Redis;
  private readonly waiting: Redis[] = [];
  private readonly firstAnswers: Promise<unknown>[] = [];
  private events: Redis | undefined;

  constructor(private readonly redis: RedisConnections) {
    this.sender = redis.open({ ...FAIL_FAST, commandTimeout: WAKE_MS });
  }

  get isReady(): boolean {
    return this.sender.status === 'ready';
  }

  options(): QueueOptions {
    return {
      prefix: PREFIX,
      settings: SETTINGS,
      createClient: (type) => this.connection(type),
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    };
  }

  /** Ends the wait for wake-ups. */
  async endWaiting(): Promise<void> {
    const { sender, events } = this;
    for (const connection of [sender, events])
      if (connection?.status !== 'ready') connection?.removeAllListeners('ready').removeAllListeners('end');
    await Promise.race([Promise.all(this.firstAnswers), delay(FIRST_ANSWERS_MS, undefined, { ref: false })]);
    this.disconnectWaiting();
  }

  disconnectWaiting(): void {
    for (const connection of this.waiting) connection.disconnect();
  }

  private connection(type: 'client' | 'subscriber' | 'bclient'): Redis {
    if (type === 'client') return this.sender;
    if (type === 'subscriber') return (this.events ??= this.openEvents());
    const connection = this.redis.open({ ...PATIENT, enableReadyCheck: false });
    this.waiting.push(connection);
    this.awaitFirstAnswer(connection);
    return connection;
  }

  /**
   * Bull's one event tells of delayed wake-ups, and none is delayed: ioredis, which handles no failure of a repeated
   * subscription, need not repeat it.
   */
  private openEvents(): Redis {
    const options = { ...PATIENT, enableReadyCheck: false, lazyConnect: true, autoResubscribe: false };
    const connection = this.redis.open(options);
    connection.once('ready', () => this.awaitFirstAnswer(connection));
    const connect = () => void connection.connect().catch(() => undefined); // it tries again by itself
    if (this.isReady) connect();
    else this.sender.once('ready', connect);
    return connection;
  }

  /** Redis answers in order: a later command is answered after the one that Bull sends now. */
  private awaitFirstAnswer(connection: Redis): void {
    setImmediate(() => this.firstAnswers.push(connection.ping().catch(() => undefined)));
  }
}

/**
 * Wakes workers through Redis, and nothing else: the rows stay the truth (docs/adr/0003). A wake-up names the queues with
 * due jobs and has their names as its id, so that Bull keeps one of each kind at most. The only file that knows Bull.
 */
@Injectable()
class BullCarrier extends JobCarrier {
  private readonly logger = new Logger('Jobs');
  private isRefused = false;
  private onWake: OnWake | undefined;
  /** The queues of the next wake-up; those of all units of work that commit while one is sent. */
  private readonly next = new Set<QueueName>();
  private sending: Promise<void> | undefined;

  constructor(
    private readonly connections: BullConnections,
    @InjectQueue(WAKE_UPS) private readonly wakeUps: Queue<WakeUp>,
  ) {
    super();
    // Bull's bookkeeping: workers look for due jobs once a second all the same.
    wakeUps.on('error', (error) => this.logger.debug({ err: error }, 'Bull stumbled'));
    void wakeUps.pause(true); // this process takes nothing until it works
  }

  override notify(queues: readonly QueueName[]): void {
    for (const queue of queues) this.next.add(queue);
    if (!this.connections.isReady) this.next.clear();
    if (this.next.size === 0) return;
    this.sending ??= this.send().finally(() => {
      this.sending = undefined;
      this.notify([]);
    });
  }

  override receive(onWake: OnWake): void {
    this.onWake = onWake;
    void this.wakeUps.resume(true);
  }

  /** Passes on a wake-up that Bull brought. */
  woken({ queues }: WakeUp): void {
    this.onWake?.(queues);
  }

  override async stop(): Promise<void> {
    await this.connections.endWaiting();
    const closed = this.wakeUps.close(true).catch(() => undefined);
    await Promise.race([closed, delay(STOP_MS, undefined, { ref: false })]);
    // To close, Bull connects anew first: while Redis hangs it would wait for that for ever, and the end of the process for Bull.
    this.connections.disconnectWaiting();
  }

  private async send(): Promise<void> {
    const queues = [...this.next].sort();
    this.next.clear();
    try {
      await this.wakeUps.add({ queues }, { jobId: queues.join(',') });
      this.isRefused = false;
    } catch (error) {
      if (!this.isRefused)
        this.logger.warn({ err: error }, 'Redis does not take wake-ups: workers look for jobs in the database');
      this.isRefused = true;
    }
  }
}

/** Where wake-ups are taken. */
@Processor(WAKE_UPS)
class WakeUpProcessor {
  constructor(private readonly carrier: BullCarrier) {}

  /** Only removes the wake-up. */
  @Process()
  remove(): void {
    // Bull drops a wake-up whose id it still holds. Its sender has committed its jobs, so the look after the removal finds
    // them.
  }

  @OnQueueCompleted()
  woken({ data }: Job<WakeUp>): void {
    this.carrier.woken(data);
  }
}

@Module({ providers: [BullConnections], exports: [BullConnections] })
class BullConnectionsModule {}

/** Provides a {@link JobCarrier} on the server's Redis. */
@Module({})
export class BullCarrierModule {
  /** @param works whether this process takes wake-ups, and not only sends them */
  static register(works: boolean): DynamicModule {
    const shared = BullModule.forRootAsync({
      imports: [BullConnectionsModule],
      inject: [BullConnections],
      useFactory: (connections: BullConnections) => connections.options(),
    });
    return {
      module: BullCarrierModule,
      imports: [BullConnectionsModule, shared, BullModule.registerQueue({ name: WAKE_UPS })],
      providers: [BullCarrier, { provide: JobCarrier, useExisting: BullCarrier }, ...(works ? [WakeUpProcessor] : [])],
      exports: [JobCarrier],
    };
  }
}
