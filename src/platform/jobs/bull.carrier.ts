import { setTimeout as delay } from 'node:timers/promises';
import { BullModule, InjectQueue, Process, Processor } from '@nestjs/bull';
import { type DynamicModule, Inject, Injectable, Logger, Module, type Type } from '@nestjs/common';
import type { Job, Queue, QueueOptions } from 'bull';
import type { Redis } from 'ioredis';
import { FAIL_FAST, PATIENT, RedisConnections } from '../redis/redis.js';
import { JobCarrier } from './carrier.js';
import { type QueueName, queueNames, QUEUES } from './job.js';
import type { CarriedJob } from './job.repository.js';

const PREFIX = 'svc:bull';
/**
 * Bull's own recovery of dead workers only keeps its lists clean: the leases of the rows decide which worker runs a
 * job.
 */
const SETTINGS = { lockDuration: 30_000, stalledInterval: 5_000, maxStalledCount: 10, retryProcessDelay: 1_000 };
/** Many ids travel as one transaction. */
const HAND_OVER_MS = 2_000;
const STOP_MS = 2_000;
/** How long a stop waits for the answers to Bull's first commands. */
const FIRST_ANSWERS_MS = 500;

interface Carried {
  readonly id: string;
}

type Run = (id: string) => Promise<void>;

/** Bull's view of one queue: where ids are added. */
interface Sender {
  readonly name: QueueName;
  readonly queue: Queue<Carried>;
}

const SENDERS = Symbol('senders');

/**
 * One connection for sending and one for events, shared by all queues; a waiting one for each queue, as Bull requires.
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
    this.sender = redis.open({ ...FAIL_FAST, commandTimeout: HAND_OVER_MS });
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

  /** Ends the waits for ids. */
  async endWaiting(): Promise<void> {
    const { sender, events } = this;
    for (const connection of [sender, events])
      if (connection?.status !== 'ready') connection?.removeAllListeners('ready').removeAllListeners('end');
    await Promise.race([Promise.all(this.firstAnswers), delay(FIRST_ANSWERS_MS, undefined, { ref: false })]);
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

  private openEvents(): Redis {
    const connection = this.redis.open({ ...PATIENT, enableReadyCheck: false, lazyConnect: true });
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
 * Carries the ids of job rows to the workers through Redis, and nothing else. The rows stay the truth: a worker that
 * gets an id claims the row before it runs it (docs/adr/0003). The only file that knows Bull.
 */
@Injectable()
class BullCarrier extends JobCarrier {
  override readonly isOn = true;
  private readonly logger = new Logger('Jobs');
  private isRefused = false;
  private run: Run | undefined;

  constructor(
    private readonly connections: BullConnections,
    @Inject(SENDERS) private readonly senders: readonly Sender[],
  ) {
    super();
    for (const { queue } of senders) {
      // Bull's bookkeeping: lost ids are handed over again.
      queue.on('error', (error) => this.logger.debug({ err: error }, 'Bull stumbled'));
      void queue.pause(true); // this process takes nothing until it works
    }
  }

  override async add(jobs: readonly CarriedJob[]): Promise<boolean> {
    if (!this.connections.isReady) return false;
    const groups = this.senders.map(({ name, queue }) => ({ queue, ids: idsOf(jobs, name) }));
    const handedOver = groups.filter(({ ids }) => ids.length > 0).map(({ queue, ids }) => this.handOver(queue, ids));
    return (await Promise.all(handedOver)).every(Boolean);
  }

  override consume(run: Run): void {
    this.run = run;
    for (const { queue } of this.senders) void queue.resume(true);
  }

  /** Runs the job of an id that Bull brought. */
  async claim(id: string): Promise<void> {
    await this.run?.(id);
  }

  override async stop(): Promise<void> {
    await this.connections.endWaiting();
    const closed = this.senders.map(({ queue }) => queue.close(true));
    await Promise.race([Promise.allSettled(closed), delay(STOP_MS, undefined, { ref: false })]);
  }

  private async handOver(queue: Queue<Carried>, ids: readonly string[]): Promise<boolean> {
    try {
      const added: { id?: unknown }[] = await queue.addBulk(ids.map(asBullJob));
      // A Redis with full memory refuses each id alone, and Bull does not report it.
      if (added.some(({ id }) => !id)) throw new Error('Redis refused them');
      this.isRefused = false;
      return true;
    } catch (error) {
      if (!this.isRefused)
        this.logger.warn({ err: error }, 'Redis does not take jobs: workers take them from the database');
      this.isRefused = true;
      return false;
    }
  }
}

function idsOf(jobs: readonly CarriedJob[], name: QueueName): string[] {
  return jobs.filter(({ queue }) => queue === name).map(({ id }) => id);
}

function asBullJob(id: string) {
  return { data: { id }, opts: { jobId: `j${id}` } }; // the letter keeps Bull from taking the id for its own counter
}

/** Where ids of a queue are added. */
function senderOf(name: QueueName): Type<Sender> {
  @Injectable()
  class QueueSender implements Sender {
    readonly name = name;

    constructor(@InjectQueue(name) readonly queue: Queue<Carried>) {}
  }
  return QueueSender;
}

/** Where ids of a queue are taken. */
function processorOf(name: QueueName): Type {
  @Processor(name)
  class QueueProcessor {
    constructor(private readonly carrier: BullCarrier) {}

    @Process({ concurrency: QUEUES[name].concurrency })
    claim({ data }: Job<Carried>): Promise<void> {
      return this.carrier.claim(data.id);
    }
  }
  return QueueProcessor;
}

@Module({ providers: [BullConnections], exports: [BullConnections] })
class BullConnectionsModule {}

/** Provides a {@link JobCarrier} on the server's Redis. */
@Module({})
export class BullCarrierModule {
  /** @param works whether this process takes ids, and not only adds them */
  static register(works: boolean): DynamicModule {
    const names = queueNames();
    const senders = names.map(senderOf);
    const shared = BullModule.forRootAsync({
      imports: [BullConnectionsModule],
      inject: [BullConnections],
      useFactory: (connections: BullConnections) => connections.options(),
    });
    return {
      module: BullCarrierModule,
      imports: [BullConnectionsModule, shared, BullModule.registerQueue(...names.map((name) => ({ name })))],
      providers: [
        ...senders,
        { provide: SENDERS, inject: senders, useFactory: (...all: Sender[]) => all },
        BullCarrier,
        { provide: JobCarrier, useExisting: BullCarrier },
        ...(works ? names.map(processorOf) : []),
      ],
      exports: [JobCarrier],
    };
  }
}
