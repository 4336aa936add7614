import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/metrics.js';
import type { ChangeLog } from '../database/change-log.js';
import { askedIn, CHANGES, type ConnectionExtra, SIGN_INS } from '../database/data-source.js';
import { DatabaseSignals } from '../database/database-signals.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ENV, type Env, isOneOfSeveral } from '../env/env.js';
import { Bus } from '../redis/bus.js';
import { currentReading, type ReadingRequest, runApart, runReading } from '../tracing/work.js';

/** Bounds values that end by the clock without an `endsAt`, such as pages that a timed block or mute shapes. */
const MAX_AGE_MS = 60_000;
/** What an entry costs besides its value, and each of its subjects and characters of its key, roughly. */
const ENTRY_BYTES = 300;
const SUBJECT_BYTES = 60;
const KEY_CHARACTER_BYTES = 2;

/** A value with what it was read from. */
export interface Reading<Value> {
  readonly value: Value;
  /** The value is void when one of these changes (migration `ChangeReports`). */
  readonly subjects: readonly string[];
  /** Unix time in milliseconds from which the value is void. */
  readonly endsAt?: number | undefined;
}

/** The values of readings by key. */
export function valuesOf<Value>(readings: ReadonlyMap<string, Reading<Value>>): Map<string, Value> {
  return new Map([...readings].map(([key, { value }]) => [key, value]));
}

interface Entry<Value> extends Reading<Value> {
  /** On the clock of the {@link ChangeLog}. */
  readonly readAt: number;
  readonly endsAt: number;
}

/** What a cache asks before it finds or stores a value. */
interface CacheUse {
  /** Null where nothing may be stored. */
  readonly changes: ChangeLog | null;
  /** Whether values that were read earlier may be used at present. */
  readonly isAllowed: boolean;
  /** When the current request began, on the clock of the changes; undefined outside of requests. */
  readonly requestStart: number | undefined;
}

/**
 * Values read from the database, with what they depend on. A value is returned only while nothing that it depends on has
 * changed, so it equals what a new read would return (docs/adr/0025). Values count as read at the beginning of their
 * request, since they may be made of rows that were read at any time since. Outside of requests nothing is stored; inside a
 * unit of work, which may have changed something itself, nothing is found or stored.
 */
export class ReadCache<Value extends object> {
  private readonly values: LRUCache<string, Entry<Value>>;

  /** Look-ups that found a value, and those that found none. */
  hits = 0;
  misses = 0;

  /** @param sizeOf the bytes of a value */
  constructor(
    private readonly use: CacheUse,
    maxBytes: number,
    sizeOf: (value: Value) => number,
  ) {
    this.values = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value, subjects }, key) =>
        sizeOf(value) + ENTRY_BYTES + SUBJECT_BYTES * subjects.length + KEY_CHARACTER_BYTES * key.length,
    });
  }

  /** Number of values. */
  get entries(): number {
    return this.values.size;
  }

  /** Their size as counted for the bound. */
  get bytes(): number {
    return this.values.calculatedSize;
  }

  /** The reading, if it is current. */
  get(key: string): Reading<Value> | undefined {
    const { changes, isAllowed } = this.use;
    if (!changes || !isAllowed) return undefined;
    const entry = this.values.get(key);
    if (entry && entry.endsAt > Date.now() && changes.isCurrent(entry.subjects, entry.readAt)) {
      this.hits += 1;
      return entry;
    }
    this.misses += 1;
    return undefined;
  }

  /** Stores what the current request has read, unless it has changed since the request began. */
  put(key: string, { value, subjects, endsAt = Infinity }: Reading<Value>): void {
    const { changes, isAllowed, requestStart: readAt } = this.use;
    if (!changes || !isAllowed || readAt === undefined || !changes.isCurrent(subjects, readAt)) return;
    this.values.set(key, { value, subjects, endsAt: Math.min(endsAt, Date.now() + MAX_AGE_MS), readAt });
  }

  /** The stored value, else what `read` returns, which is stored; undefined is not stored. */
  async find(key: string, read: () => Promise<Reading<Value>>): Promise<Value>;
  async find(key: string, read: () => Promise<Reading<Value> | undefined>): Promise<Value | undefined>;
  async find(key: string, read: () => Promise<Reading<Value> | undefined>): Promise<Value | undefined> {
    const found = this.get(key);
    if (found) return found.value;
    const reading = await read();
    if (reading) this.put(key, reading);
    return reading?.value;
  }
}

/** The message on the {@link Bus} with subjects of changes. */
const CHANGED = 'platform.changed';

/** Makes the caches of read values, and decides when they may be used. */
@Injectable()
export class ReadCaches {
  readonly changes: ChangeLog | null;
  private readonly isAlone: boolean;
  /** For the requests of this turn of the event loop: whether the server has received all earlier changes. */
  private turn: Promise<boolean> | undefined;
  /** The latest channels on which this server has said that it knows a change. */
  private readonly answered = new LRUCache<string, true>({ max: 1_000 });

  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(ENV) env: Env,
    private readonly uow: UnitOfWork,
    private readonly bus: Bus,
    private readonly signals: DatabaseSignals,
    private readonly metrics: Metrics,
  ) {
    const extra = dataSource.options.extra as ConnectionExtra;
    this.changes = extra.changes;
    this.isAlone = !isOneOfSeveral(env);
    if (extra.changes && !this.isAlone) this.exchange(extra.changes, extra);
  }

  /** @param name in the metrics */
  create<Value extends object>(name: string, maxBytes: number, sizeOf: (value: Value) => number): ReadCache<Value> {
    const cache = new ReadCache(this, maxBytes, sizeOf);
    this.metrics.watchCache(name, cache);
    return cache;
  }

  /**
   * Whether values that were read earlier may be used at present: outside of units of work. One of several servers uses
   * them in requests only, since it has received the earlier changes of the others when a request begins.
   */
  get isAllowed(): boolean {
    return !this.uow.isOpen && (this.isAlone || this.requestStart !== undefined);
  }

  /** When the current request began, on the clock of the changes; undefined outside of requests. */
  get requestStart(): number | undefined {
    return currentReading()?.start;
  }

  /**
   * Express middleware: what a request reads counts as read at its beginning. Requests of one turn of the event loop begin
   * together, at its end: under load that halves the CPU of a small answer. On one of several servers they begin after
   * the server has received all earlier changes; without Redis they use no caches.
   */
  readonly observe = (_request: unknown, response: Response, next: (error?: unknown) => void): void => {
    this.turn ??= runApart(() => this.endOfTurn());
    this.turn.then((isCurrent) => this.begin(isCurrent, response, next), next);
  };

  /** Invalidates all values, after a change of what they are made of besides the database: settings and emoji in memory. */
  clear(): void {
    this.changes?.noteAll();
  }

  private endOfTurn(): Promise<boolean> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.turn = undefined; // a later request may miss later changes
        resolve(this.bus.catchUp());
      });
    });
  }

  /** Nobody waits for the turn: what the rest of the request throws becomes its answer, and must not end the process. */
  private begin(isCurrent: boolean, response: Response, next: (error?: unknown) => void): void {
    try {
      if (!isCurrent) {
        next();
        return;
      }
      const request: ReadingRequest = { start: response.destroyed ? undefined : (this.changes?.now ?? 0) };
      if (!this.isAlone) response.once('close', () => (request.start = undefined));
      runReading(request, next);
    } catch (error) {
      next(error);
    }
  }

  /** Sends changes to the other servers, and receives theirs. */
  private exchange(changes: ChangeLog, { messages, server }: ConnectionExtra): void {
    const publish = (subjects: readonly string[]) => this.bus.publishToOthers(CHANGED, subjects);
    const isComplete = () => this.requestStart !== undefined;
    changes.publish = publish;
    changes.isComplete = isComplete;
    this.bus.subscribe(CHANGED, (message) => {
      const subjects = message as readonly string[];
      changes.note(subjects);
      if (subjects.includes(SIGN_INS)) messages.emit(SIGN_INS);
    });
    this.bus.onGap(() => {
      changes.noteAll();
      messages.emit(SIGN_INS);
    });
    messages.on(CHANGES, (message?: string) => this.answer(askedIn(message, server), server));
  }

  /** Tells a server without Redis that its change is known here, once for all connections that hear of it. */
  private answer(channel: string | undefined, server: string): void {
    if (channel === undefined || this.answered.has(channel)) return;
    this.answered.set(channel, true);
    this.signals.answer(channel, server).catch(() => undefined); // the other server waits no longer than a second
  }
}
