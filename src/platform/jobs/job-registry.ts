import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  type EventClass,
  HANDLES,
  LISTENS,
  decorationsOf,
  RECURS,
  type Recurrence,
  SUBSCRIBES,
  type Subscription,
  SWEEPS,
} from './handlers.js';
import { type JobKind, LONGEST_RETRY_MS, type Outcome, type QueueName, QUEUES } from './job.js';

export type Run = (payload: object) => Promise<Outcome | undefined> | Outcome | undefined;
type Method = (argument: object) => unknown;

const RECURRING = 'maintenance';
const MINUTE_MS = 60_000;

export interface Handler {
  readonly name: string;
  readonly queue: QueueName;
  readonly run: Run;
  /** How long a try may take. */
  readonly longestMs: number;
  /** After this many tries a job has failed for good. */
  readonly tries: number;
  /** The longest delay before it runs, but for a time that a person chose. */
  readonly longestDelayMs: number;
  /** As of {@link JobKind}. */
  readonly isResumed?: boolean;
  /** As of {@link JobKind}. */
  readonly isOnlyRecord?: boolean;
  /** Set for recurring work: minutes between two runs. */
  readonly everyMinutes?: number;
  /** As of {@link Recurrence}. */
  readonly atStart?: boolean;
}

interface Subscriber extends Subscription {
  readonly event: EventClass;
  /** Whether all events of a unit of work are one job. */
  readonly takesAll?: boolean;
}

/** The payload of a job for several events. */
export interface AllEvents {
  readonly events: readonly object[];
}

/** Knows every handler, subscriber and listener, found by their decorators on any provider when the server starts. */
@Injectable()
export class JobRegistry implements OnModuleInit {
  private readonly byName = new Map<string, Handler>();
  private readonly subscriptions = new Map<string, Subscriber[]>();
  private readonly listeners = new Map<string, Method[]>();
  private readonly localSweeps: (() => unknown)[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    // One instance may be provided under several names.
    for (const instance of new Set(this.discovery.getProviders().map((provider): unknown => provider.instance))) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, unknown> | null;
      if (!prototype) continue;
      for (const name of this.scanner.getAllMethodNames(prototype)) this.register(instance, prototype[name]);
    }
  }

  /** The handler of a job name; undefined when this version knows none. */
  handler(name: string): Handler | undefined {
    return this.byName.get(name);
  }

  /** The subscribers that an event concerns. */
  subscribersOf(event: object): Subscriber[] {
    const all = this.subscriptions.get(eventType(event)) ?? [];
    return all.filter((subscriber) => subscriber.when?.(event) ?? true);
  }

  listenersOf(event: object): readonly Method[] {
    return this.listeners.get(eventType(event)) ?? [];
  }

  all(): Handler[] {
    return [...this.byName.values()];
  }

  recurring(): Handler[] {
    return this.all().filter((handler) => handler.everyMinutes !== undefined);
  }

  /** The sweeps that each process runs. */
  sweeps(): readonly (() => unknown)[] {
    return this.localSweeps;
  }

  /** The names of jobs that stay when they have failed. */
  onlyRecords(): string[] {
    return this.all()
      .filter(({ isOnlyRecord }) => isOnlyRecord)
      .map(({ name }) => name);
  }

  private register(instance: object, method: unknown): void {
    if (typeof method !== 'function') return;
    const bound = method.bind(instance) as Method;
    const run = bound as (argument?: object) => ReturnType<Run>;
    for (const kind of decorationsOf<JobKind<object>>(HANDLES, method)) {
      this.add({ ...boundsOf(kind.queue), ...kind, run });
    }
    for (const { job: name, queue = RECURRING, ...bounds } of decorationsOf<Recurrence>(RECURS, method)) {
      const longestDelayMs = bounds.everyMinutes * MINUTE_MS;
      this.add({ ...boundsOf(queue), longestDelayMs, ...bounds, name, queue, run: () => run() });
    }
    for (const subscriber of decorationsOf<Subscriber>(SUBSCRIBES, method)) {
      this.add({
        ...boundsOf(subscriber.queue),
        name: subscriber.job,
        queue: subscriber.queue,
        run: (payload) => run(argumentOf(subscriber, payload)),
      });
      append(this.subscriptions, subscriber.event.type, subscriber);
    }
    for (const { type } of decorationsOf<EventClass>(LISTENS, method)) append(this.listeners, type, bound);
    if (decorationsOf(SWEEPS, method).length > 0) this.localSweeps.push(() => run());
  }

  private add(handler: Handler): void {
    if (this.byName.has(handler.name)) throw new Error(`Two handlers for the job "${handler.name}"`);
    this.byName.set(handler.name, handler);
  }
}

function boundsOf(queue: QueueName): Pick<Handler, 'longestMs' | 'tries' | 'longestDelayMs'> {
  const { longestMs, tries } = QUEUES[queue];
  return { longestMs, tries, longestDelayMs: LONGEST_RETRY_MS };
}

function eventType(event: object): string {
  return (event.constructor as unknown as EventClass).type;
}

/** A subscriber to all events may meet a job that was stored for a single one. */
function argumentOf({ event, takesAll = false }: Subscriber, payload: object): object {
  if (!takesAll) return revive(event, payload);
  const { events = [payload] } = payload as Partial<AllEvents>;
  return events.map((each) => revive(event, each));
}

/** The stored fields as an instance of the event's class again, so that its getters work in subscribers. */
function revive(event: EventClass, payload: object): object {
  return Object.assign(Object.create(event.prototype as object) as object, payload);
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
