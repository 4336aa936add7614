import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/metrics.js';
import type { ChangeLog } from '../database/change-log.js';
import { askedIn, CHANGES, type ConnectionExtra, type ListeningClient, SIGN_INS } from '../database/data-source.js';
import { DatabaseSignals } from '../database/database-signals.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ENV, type Env, isOneOfSeveral } from '../env/env.js';
import { Bus } from '../redis/bus.js';
import { currentReading, type ReadingRequest, runApart, runReading } from '../tracing/work.js';
import { entryLimit } from '../memory/cache.js';

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
  /** When it is too old, by a clock that is never set (`performance.now`): what is made of it is no younger. */
  readonly oldAt?: number | undefined;
}

/** The values of readings by key. */
export function valuesOf<Value>(readings: ReadonlyMap<string, Reading<Value>>): Map<string, Value> {
  return new Map([...readings].map(([key, { value }]) => [key, value]));
}

interface Entry<Value> extends Reading<Value> {
  /** On the clock of the {@link ChangeLog}. */
  readonly readAt: number;
}

/** What a cache asks before it finds or stores a value. */
interface CacheUse {
  /** Null where nothing may be stored. */
  readonly changes: ChangeLog | null;
  /** Whether values that were read earlier may be used at present. */
  readonly isAllowed: boolean;
  /** The current request; undefined outside of requests. */
  readonly request: ReadingRequest | undefined;
}

/** A read that has not ended. */
interface Flight<Value> {
  /** When the request began that reads, on the clock of the changes. */
  readonly since: number;
  /** By id; undefined when it failed. */
  readonly readings: Promise<Readings<Value> | undefined>;
}

type Readings<Value> = ReadonlyMap<string, Reading<Value>>;
type KeyOf = (id: string) => string;
type ReadById<Value> = (ids: readonly string[]) => Promise<Readings<Value>>;

/** How often a request waits for a read of another before it reads itself. */
const MOST_WAITS = 4;

/**
 * Values read from the database, with what they depend on. A value is returned only while nothing that it depends on has
 * changed, so it equals what a new read would return (docs/adr/0025). Values count as read at the beginning of their
 * request, since they may be made of rows that were read at any time since. Requests that want a value which another one
 * reads at present wait for it, and use it if nothing has changed between its beginning and their look-up. Outside of requests,
 * and of what reads like one ({@link ReadCaches.readApart}), nothing is stored; inside a unit of work, which may have changed something itself, nothing is found or stored.
 */
export class ReadCache<Value extends object> {
  private readonly values: LRUCache<string, Entry<Value>>;
  /** The latest read of each key that has not ended. */
  private readonly flights = new Map<string, Flight<Value>>();

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
    if (entry && isInTime(entry) && changes.isCurrent(entry.subjects, entry.readAt)) {
      this.hits += 1;
      return entry;
    }
    this.misses += 1;
    return undefined;
  }

  /**
   * Stores what the current request has read. What has changed since is stored too, unless something newer is: it is not
   * found, but its subjects tell whether a read that has not ended will be of use.
   */
  put(key: string, { value, subjects, endsAt = Infinity, oldAt = Infinity }: Reading<Value>): void {
    const { changes, isAllowed, request } = this.use;
    const readAt = request?.start;
    if (!changes || !isAllowed || readAt === undefined) return;
    if ((this.values.peek(key)?.readAt ?? -1) > readAt) return;
    const entry = { value, subjects, endsAt, oldAt: Math.min(oldAt, performance.now() + MAX_AGE_MS), readAt };
    this.values.set(key, entry);
  }

  /** The stored value, else what `read` returns, which is stored; undefined is not stored. */
  async find(key: string, read: () => Promise<Reading<Value>>): Promise<Value>;
  async find(key: string, read: () => Promise<Reading<Value> | undefined>): Promise<Value | undefined>;
  async find(key: string, read: () => Promise<Reading<Value> | undefined>): Promise<Value | undefined> {
    const found = this.get(key);
    if (found) return found.value;
    const readings = await this.share([key], ofItself, async () => {
      const reading = await read();
      return new Map(reading ? [[key, reading]] : []);
    });
    return readings.get(key)?.value;
  }

  /**
   * The readings by id, in no order: stored ones, and for the other ids what `read` returns, which is stored.
   * @param keyOf the key of an id
   */
  async findMany(ids: readonly string[], keyOf: KeyOf, read: ReadById<Value>): Promise<Map<string, Reading<Value>>> {
    const found = new Map<string, Reading<Value>>();
    const missing: string[] = [];
    for (const id of ids) {
      const reading = this.get(keyOf(id));
      if (reading) found.set(id, reading);
      else missing.push(id);
    }
    if (missing.length > 0) for (const [id, reading] of await this.share(missing, keyOf, read)) found.set(id, reading);
    return found;
  }

  /** Reads what nobody reads at present, and waits for the rest. */
  private async share(ids: readonly string[], keyOf: KeyOf, read: ReadById<Value>): Promise<Readings<Value>> {
    const { changes, isAllowed, request } = this.use;
    if (!changes || !isAllowed || request?.start === undefined) return read(ids);
    const { start } = request;
    const asked = changes.now; // the request may have changed something since it began
    const shared = new Map<string, Reading<Value>>();
    let missing = ids;
    for (let waits = 0; missing.length > 0; waits += 1) {
      const mayWait = request.leads === 0 && waits < MOST_WAITS;
      const flights = mayWait ? this.flightsOf(missing, keyOf, asked) : new Map<string, Flight<Value>>();
      const own = missing.filter((id) => !flights.has(id));
      if (own.length > 0) {
        const readings = await this.lead({ request, start, keys: own.map(keyOf) }, () => read(own));
        for (const [id, reading] of readings) {
          this.put(keyOf(id), reading);
          shared.set(id, reading);
        }
      }
      missing = await this.arrivals(flights, asked, shared);
    }
    return shared;
  }

  /** By id the reads that have not ended and that are likely to be of use to a request that asks at `asked`. */
  private flightsOf(ids: readonly string[], keyOf: KeyOf, asked: number): Map<string, Flight<Value>> {
    const flights = new Map<string, Flight<Value>>();
    for (const id of ids) {
      const key = keyOf(id);
      const flight = this.flights.get(key);
      if (!flight) continue;
      const last = flight.since < asked ? this.values.peek(key)?.subjects : undefined;
      if (!last || this.use.changes?.wasCurrent(last, flight.since, asked)) flights.set(id, flight);
    }
    return flights;
  }

  /** Reads for the current request, and for those that wait for it. */
  private async lead(
    { request, start, keys }: { readonly request: ReadingRequest; readonly start: number; readonly keys: string[] },
    read: () => Promise<Readings<Value>>,
  ): Promise<Readings<Value>> {
    request.leads += 1;
    const reading = read();
    const flight = { since: start, readings: reading.catch(() => undefined) };
    for (const key of keys) this.flights.set(key, flight);
    try {
      return await reading;
    } finally {
      request.leads -= 1;
      for (const key of keys) if (this.flights.get(key) === flight) this.flights.delete(key);
    }
  }

  /**
   * Waits for the reads of others, and adds what is of use to a request that asked at `asked`.
   * @returns the ids of which nothing is
   */
  private async arrivals(
    flights: ReadonlyMap<string, Flight<Value>>,
    asked: number,
    shared: Map<string, Reading<Value>>,
  ): Promise<string[]> {
    const missed: string[] = [];
    for (const [id, { since, readings }] of flights) {
      const reading = (await readings)?.get(id);
      if (reading && this.isOfUse(reading, since, asked)) shared.set(id, reading);
      else missed.push(id);
    }
    return missed;
  }

  private isOfUse(reading: Reading<Value>, since: number, asked: number): boolean {
    return isInTime(reading) && (this.use.changes?.wasCurrent(reading.subjects, since, asked) ?? false);
  }
}

function isInTime({ endsAt = Infinity, oldAt = Infinity }: Reading<object>): boolean {
  return endsAt > Date.now() && oldAt > performance.now();
}

function ofItself(key: string): string {
  return key;
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
  private readonly answered = new LRUCache<string, true>(entryLimit(1_000));

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
    return !this.uow.isOpen && (this.isAlone || this.request?.start !== undefined);
  }

  get request(): ReadingRequest | undefined {
    return currentReading();
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

  /**
   * Runs what answers no request, and reads what others have read or will. On a single server it reads like a request that
   * begins now; one of several uses and stores nothing then, since it may not have received the latest changes.
   */
  readApart<T>(run: () => T): T {
    return runApart(run, this.isAlone && this.changes ? { start: this.changes.now, leads: 0 } : undefined);
  }

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
      const request: ReadingRequest = { start: response.destroyed ? undefined : (this.changes?.now ?? 0), leads: 0 };
      if (!this.isAlone) response.once('close', () => (request.start = undefined));
      runReading(request, next);
    } catch (error) {
      next(error);
    }
  }

  /** Sends changes to the other servers, and receives theirs. */
  private exchange(changes: ChangeLog, { messages, server }: ConnectionExtra): void {
    const publish = (subjects: readonly string[]) => this.bus.publishToOthers(CHANGED, subjects);
    const isComplete = () => this.request?.start !== undefined;
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
    messages.on(CHANGES, (message?: string, client?: ListeningClient) => {
      const channel = askedIn(message, server);
      if (channel !== undefined) client?.whenIdle(() => this.answer(client, channel, server));
    });
  }

  /** Tells a server without Redis that its change is known here, once for all connections that hear of it. */
  private answer(client: ListeningClient, channel: string, server: string): void {
    if (this.answered.has(channel)) return;
    this.answered.set(channel, true);
    this.signals.answer(client, channel, server).catch(() => undefined); // the other server waits no longer than a second
  }
}
