import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/metrics.js';
import type { ChangeLog } from '../database/change-log.js';
import type { ConnectionExtra } from '../database/data-source.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Bounds what no change reports: blocks and mutes that expire. */
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

  /**
   * @param changes null where nothing may be stored
   * @param requestStart when the current request began, on the clock of the changes; undefined outside of requests
   * @param sizeOf the bytes of a value
   */
  constructor(
    private readonly changes: ChangeLog | null,
    private readonly uow: Pick<UnitOfWork, 'isOpen'>,
    private readonly requestStart: () => number | undefined,
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
    if (!this.changes || this.uow.isOpen) return undefined;
    const entry = this.values.get(key);
    if (entry && entry.endsAt > Date.now() && this.changes.isCurrent(entry.subjects, entry.readAt)) {
      this.hits += 1;
      return entry;
    }
    this.misses += 1;
    return undefined;
  }

  /** Stores what the current request has read, unless it has changed since the request began. */
  put(key: string, { value, subjects, endsAt = Infinity }: Reading<Value>): void {
    const readAt = this.requestStart();
    if (!this.changes || readAt === undefined || this.uow.isOpen || !this.changes.isCurrent(subjects, readAt)) return;
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

/** Makes the caches of read values. */
@Injectable()
export class ReadCaches {
  private readonly changes: ChangeLog | null;
  private readonly requests = new AsyncLocalStorage<number>();

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly uow: UnitOfWork,
    private readonly metrics: Metrics,
  ) {
    this.changes = (dataSource.options.extra as ConnectionExtra).changes;
  }

  /** @param name in the metrics */
  create<Value extends object>(name: string, maxBytes: number, sizeOf: (value: Value) => number): ReadCache<Value> {
    const cache = new ReadCache(this.changes, this.uow, () => this.requests.getStore(), maxBytes, sizeOf);
    this.metrics.watchCache(name, cache);
    return cache;
  }

  /** Express middleware: what a request reads counts as read at its beginning. */
  readonly observe = (_request: unknown, _response: unknown, next: () => void): void => {
    this.requests.run(this.changes?.now ?? 0, next);
  };

  /** Invalidates all values, after a change of what they are made of besides the database: settings and emoji in memory. */
  clear(): void {
    this.changes?.noteAll();
  }
}
