import type { JobKind, Outcome, QueueName } from './job.js';

export const HANDLES = 'svc:handles';
export const SUBSCRIBES = 'svc:subscribes';
export const LISTENS = 'svc:listens';
export const RECURS = 'svc:recurs';
export const SWEEPS = 'svc:sweeps';

/** An event class: past tense, a stored `type`, fields that are ids and immutable facts. */
export interface EventClass<E extends object = object> {
  new (...args: never[]): E;
  /** Stored name such as `statuses.created`. */
  readonly type: string;
}

export interface Subscription<E extends object = object> {
  /** The stored name of the job this subscription makes; never changes meaning. */
  readonly job: string;
  readonly queue: QueueName;
  /** Whether the event concerns this subscriber: pure, reads only the event. */
  readonly when?: (event: E) => boolean;
  /** So long after the event: for what others began before it, and commit after it. */
  readonly afterMinutes?: number;
}

/** An hour in minutes, for work that {@link Recurs}. */
export const HOURLY = 60;
/** A day in minutes. */
export const DAILY = 24 * 60;

export interface Recurrence {
  readonly job: string;
  readonly everyMinutes: number;
  /** Whether it runs at each start too: what it does depends on the environment. */
  readonly atStart?: boolean;
  /** `maintenance` by default; `upkeep` for what takes long on a large server. */
  readonly queue?: QueueName;
  /** The longest try, where it differs from the queue's. */
  readonly longestMs?: number;
}

/** Returning nothing means `done`. */
type Answer = Outcome | undefined | ReturnType<() => void>;

/** Decorates a method that takes these arguments: a wrong one would be seen only when the job runs. */
type HandlerDecorator<Argument extends unknown[]> = <
  Method extends (...argument: Argument) => Answer | Promise<Answer>,
>(
  target: object,
  name: string | symbol,
  method: TypedPropertyDescriptor<Method>,
) => void;

/** The values that a method is decorated with, in the order of its decorators. */
export function decorationsOf<Value>(key: string, method: object): readonly Value[] {
  return (Reflect.getOwnMetadata(key, method) ?? []) as Value[];
}

/** Adds a value: one method may handle several events and kinds of jobs. */
function decorate(key: string, value: object): HandlerDecorator<never[]> {
  return (_target, _name, { value: method }) => {
    if (method) Reflect.defineMetadata(key, [value, ...decorationsOf(key, method)], method);
  };
}

/** Marks the one handler of a kind of job. The server refuses to start when a kind has none or two. */
export const Handles = <Payload extends object>(kind: JobKind<Payload>): HandlerDecorator<[Payload]> =>
  decorate(HANDLES, kind);

/** Marks a subscriber: a job of its own for each event, written in the event's unit of work and retried alone. */
export const Subscribes = <E extends object>(
  event: EventClass<E>,
  subscription: Subscription<E>,
): HandlerDecorator<[E]> => decorate(SUBSCRIBES, { event, ...subscription });

/** As {@link Subscribes}, with one job for all events of a unit of work: the method takes their list, in their order. */
export const SubscribesToAll = <E extends object>(
  event: EventClass<E>,
  subscription: Subscription<E>,
): HandlerDecorator<[readonly E[]]> => decorate(SUBSCRIBES, { event, ...subscription, takesAll: true });

/**
 * Marks a listener called in this process after the commit: for effects that a crash may lose, such as live streams.
 */
export const ListensAfterCommit = <E extends object>(event: EventClass<E>): HandlerDecorator<[E]> =>
  decorate(LISTENS, event);

/** Marks recurring work with an interval in minutes: it runs once among all processes, and late after downtime. */
export const Recurs = (recurrence: Recurrence): HandlerDecorator<[]> => decorate(RECURS, recurrence);

/** Marks a daily sweep of a folder of this machine: each process runs it, since each may have a folder of its own. */
export const SweepsHere = (): HandlerDecorator<[]> => decorate(SWEEPS, {});
