import { setTimeout as delay } from 'node:timers/promises';
import { getQueueToken, BullModule } from '@nestjs/bull';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import type { Queue, QueueOptions } from 'bull';
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

interface Carried {
  readonly id: string;
}

/**
 * Carries the ids of job rows to the workers through Redis, and nothing else. The rows stay the truth: a worker that
 * gets an id claims the row before it runs it (docs/adr/0003). The only file that knows Bull.
 */
class BullCarrier extends JobCarrier {
  override readonly isOn = true;
  private readonly logger = new Logger('Jobs');
  private isRefused = false;

  constructor(
    private readonly queues: ReadonlyMap<QueueName, Queue<Carried>>,
    private readonly connections: BullConnections,
  ) {
    super();
    for (const queue of queues.values()) {
      // Bull's bookkeeping: lost ids are handed over again.
      queue.on('error', (error) => this.logger.debug({ err: error }, 'Bull stumbled'));
      // Bull names its connections without awaiting the answer: an uncaught failure would end the process.
      Object.assign(queue, { setWorkerName: () => Promise.resolve() });
    }
  }

  override async add(jobs: readonly CarriedJob[]): Promise<boolean> {
    if (!this.connections.isReady) return false;
    const groups = [...this.queues].map(([name, queue]) => ({ queue, ids: idsOf(jobs, name) }));
    const handedOver = groups.filter(({ ids }) => ids.length > 0).map(({ queue, ids }) => this.handOver(queue, ids));
    return (await Promise.all(handedOver)).every(Boolean);
  }

  override consume(run: (id: string) => Promise<void>): void {
    for (const [name, queue] of this.queues) {
      queue
        .process(QUEUES[name].concurrency, ({ data }) => run(data.id))
        .catch((error: unknown) => this.logger.debug({ err: error }, 'Bull stopped'));
    }
  }

  override async stop(): Promise<void> {
    const closed = [...this.queues.values()].map((queue) => queue.close(true));
    this.connections.endWaiting();
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

/**
 * One connection for sending and one for events, shared by all queues; a waiting one for each queue, as Bull requires.
 */
class BullConnections {
  private readonly sender: Redis;
  private readonly waiting: Redis[] = [];
  private events: Redis | undefined;

  constructor(private readonly redis: RedisConnections) {
    this.sender = redis.open({ ...FAIL_FAST, commandTimeout: HAND_OVER_MS });
  }

  get isReady(): boolean {
    return this.sender.status === 'ready';
  }

  options(): QueueOptions {
    return { prefix: PREFIX, settings: SETTINGS, createClient: (type) => this.connection(type) };
  }

  /** Ends the waits for ids for good: Bull would reopen the connections while it closes. */
  endWaiting(): void {
    for (const connection of this.waiting) {
      connection.disconnect();
      Object.assign(connection, { connect: () => Promise.resolve() });
    }
  }

  private connection(type: 'client' | 'subscriber' | 'bclient'): Redis {
    if (type === 'client') return this.sender;
    const open = () => this.redis.open({ ...PATIENT, enableReadyCheck: false });
    if (type === 'subscriber') return (this.events ??= open());
    const connection = open();
    this.waiting.push(connection);
    return connection;
  }
}

function idsOf(jobs: readonly CarriedJob[], name: QueueName): string[] {
  return jobs.filter(({ queue }) => queue === name).map(({ id }) => id);
}

function asBullJob(id: string) {
  // The letter keeps Bull from taking the id for its own counter.
  return { data: { id }, opts: { jobId: `j${id}`, removeOnComplete: true, removeOnFail: true } };
}

@Module({
  providers: [
    {
      provide: BullConnections,
      inject: [RedisConnections],
      useFactory: (redis: RedisConnections) => new BullConnections(redis),
    },
  ],
  exports: [BullConnections],
})
class BullConnectionsModule {}

/** Provides a {@link JobCarrier} on the server's Redis. */
@Module({})
export class BullCarrierModule {
  static register(): DynamicModule {
    const names = queueNames();
    const queues = names.map((name) => ({
      name,
      imports: [BullConnectionsModule],
      inject: [BullConnections],
      useFactory: (connections: BullConnections) => connections.options(),
    }));
    const carrier = {
      provide: JobCarrier,
      inject: [BullConnections, ...names.map((name) => getQueueToken(name))],
      useFactory: (connections: BullConnections, ...opened: Queue<Carried>[]) =>
        new BullCarrier(new Map(opened.map((queue) => [queue.name as QueueName, queue])), connections),
    };
    return {
      module: BullCarrierModule,
      imports: [BullConnectionsModule, BullModule.registerQueueAsync(...queues)],
      providers: [carrier],
      exports: [JobCarrier],
    };
  }
}
