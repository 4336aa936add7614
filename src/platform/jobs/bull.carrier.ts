import { getQueueToken, BullModule } from '@nestjs/bull';
import { type DynamicModule, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bull';
import { Redis } from 'ioredis';
import type { Env } from '../env.js';
import { QUEUES, type QueueName } from './job.js';
import type { CarriedJob } from './job.repository.js';

const NAMES = Object.keys(QUEUES) as QueueName[];
const PREFIX = 'svc:bull';
/** How long a worker may be silent before Bull hands its job to another; claiming the row decides who runs it. */
const LOCK_MS = 30_000;

interface Carried {
  readonly id: string;
}

/** One connection for sending and one for events, shared by all queues; a blocking one for each queue, as Bull demands. */
class Connections {
  private readonly shared = new Map<string, Redis>();
  private readonly opened: Redis[] = [];

  constructor(private readonly url: string) {}

  of(type: 'client' | 'subscriber' | 'bclient'): Redis {
    const known = type === 'bclient' ? undefined : this.shared.get(type);
    if (known) return known;
    const connection = new Redis(this.url, { maxRetriesPerRequest: null, enableReadyCheck: false });
    connection.setMaxListeners(0); // every queue listens to those that are shared
    this.opened.push(connection);
    if (type !== 'bclient') this.shared.set(type, connection);
    return connection;
  }

  close(): void {
    for (const connection of this.opened) connection.disconnect();
  }
}

/**
 * Carries the ids of job rows to the workers through Redis, and nothing else: the rows stay the truth, a worker claims the
 * row before it runs it, and what Redis loses is handed over again. Off without `REDIS_URL`. The only file that knows Bull.
 */
@Injectable()
export class BullCarrier implements OnApplicationShutdown {
  private readonly logger = new Logger(BullCarrier.name);

  constructor(
    private readonly queues: ReadonlyMap<QueueName, Queue<Carried>>,
    /** Whether this process runs jobs; a web process only hands them on. */
    readonly consumes: boolean,
    private readonly connections: Connections,
  ) {
    for (const queue of queues.values()) queue.on('error', (error) => this.complain(error));
  }

  get isOn(): boolean {
    return this.queues.size > 0;
  }

  /** Hands ids over in bulk. A failure is only logged: the sweep finds the rows again. */
  add(jobs: readonly CarriedJob[]): void {
    for (const [name, queue] of this.queues) {
      const ids = jobs.filter((job) => job.queue === name).map(({ id }) => id);
      if (ids.length === 0) continue;
      // The letter keeps Bull from taking the id for a number of its own counting.
      const bulk = ids.map((id) => ({
        data: { id },
        opts: { jobId: `j${id}`, removeOnComplete: true, removeOnFail: true },
      }));
      queue.addBulk(bulk).catch((error: unknown) => this.complain(error));
    }
  }

  /** Starts to receive ids, at most as many at once as each queue allows. */
  consume(run: (id: string) => Promise<void>): void {
    for (const [name, queue] of this.queues) {
      const { concurrency } = QUEUES[name];
      void queue.process(concurrency, ({ data }) => run(data.id)).catch((error: unknown) => this.complain(error));
    }
  }

  /** Receives nothing more, waits for what runs, and closes the connections. */
  async stop(): Promise<void> {
    await Promise.all(
      [...this.queues.values()].map((queue) => queue.close().catch((error: unknown) => this.complain(error))),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
    this.connections.close();
  }

  private complain(error: unknown): void {
    this.logger.warn({ err: error }, 'Redis did not carry jobs; they wait in the database');
  }
}

/** The module that provides {@link BullCarrier} for an environment. */
export function bullCarrierModule(env: Env): DynamicModule {
  const names = env.redisUrl === undefined ? [] : NAMES;
  const connections = new Connections(env.redisUrl ?? '');
  const settings = { lockDuration: LOCK_MS, maxStalledCount: 10 };
  const createClient = (type: 'client' | 'subscriber' | 'bclient') => connections.of(type);
  return {
    module: class BullCarrierModule {},
    imports: [BullModule.registerQueue(...names.map((name) => ({ name, prefix: PREFIX, settings, createClient })))],
    providers: [
      {
        provide: BullCarrier,
        useFactory: (...queues: Queue<Carried>[]) => {
          const byName = new Map(queues.map((queue, at) => [names[at] ?? 'maintenance', queue]));
          return new BullCarrier(byName, env.role !== 'web', connections);
        },
        inject: names.map((name) => getQueueToken(name)),
      },
    ],
    exports: [BullCarrier],
  };
}
