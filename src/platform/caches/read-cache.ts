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

interface Kept<Value> extends Reading<Value> {
  readonly readAt: number;
  readonly endsAt: number;
}

/**
 * Values read from the database, with what they depend on. A value is returned only while nothing that it depends on has
 * changed, so it equals what a new read would return (docs/adr/0025). Inside a unit of work, which may have changed
 * something itself, nothing is found and nothing is kept.
 */
export class ReadCache<Value extends object> {
  private readonly kept: LRUCache<string, Kept<Value>>;

  /** Look-ups that found a value, and those that found none. */
  hits = 0;
  misses = 0;

  /** @param changes null where nothing may be kept; @param sizeOf the bytes of a value */
  constructor(
    private readonly changes: ChangeLog | null,
    private readonly uow: Pick<UnitOfWork, 'isOpen'>,
    maxBytes: number,
    sizeOf: (value: Value) => number,
  ) {
    this.kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value, subjects }, key) =>
        sizeOf(value) + ENTRY_BYTES + SUBJECT_BYTES * subjects.length + KEY_CHARACTER_BYTES * key.length,
    });
  }

  /** Number of values. */
  get entries(): number {
    return this.kept.size;
  }

  /** Their size as counted for the bound. */
  get bytes(): number {
    return this.kept.calculatedSize;
  }

  /** The time for {@link put}; take it before the value is read. */
  get now(): number {
    return this.changes?.now ?? 0;
  }

  /** The reading, if it is current. */
  get(key: string): Reading<Value> | undefined {
    if (!this.changes || this.uow.isOpen) return undefined;
    const kept = this.kept.get(key);
    if (kept && kept.endsAt > Date.now() && this.changes.isCurrent(kept.subjects, kept.readAt)) {
      this.hits += 1;
      return kept;
    }
    this.misses += 1;
    return undefined;
  }

  /** Keeps a value whose reading began at a time of {@link now}. */
  put(key: string, { value, subjects, endsAt = Infinity }: Reading<Value>, readAt: number): void {
    if (!this.changes || this.uow.isOpen || !this.changes.isCurrent(subjects, readAt)) return;
    this.kept.set(key, { value, subjects, endsAt: Math.min(endsAt, Date.now() + MAX_AGE_MS), readAt });
  }

  /** The kept value, else what `read` returns, which is kept; undefined is not kept. */
  async find(key: string, read: () => Promise<Reading<Value>>): Promise<Value>;
  async find(key: string, read: () => Promise<Reading<Value> | undefined>): Promise<Value | undefined>;
  async find(key: string, read: () => Promise<Reading<Value> | undefined>): Promise<Value | undefined> {
    const kept = this.get(key);
    if (kept) return kept.value;
    const { now } = this;
    const reading = await read();
    if (reading) this.put(key, reading, now);
    return reading?.value;
  }
}

/** Makes the caches of read values. */
@Injectable()
export class ReadCaches {
  private readonly changes: ChangeLog | null;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly uow: UnitOfWork,
    private readonly metrics: Metrics,
  ) {
    this.changes = (dataSource.options.extra as ConnectionExtra).changes;
  }

  /** @param name in the metrics */
  create<Value extends object>(name: string, maxBytes: number, sizeOf: (value: Value) => number): ReadCache<Value> {
    const cache = new ReadCache(this.changes, this.uow, maxBytes, sizeOf);
    this.metrics.watchCache(name, cache);
    return cache;
  }

  /** Voids all values, after a change of what they are made of besides the database: settings and emoji in memory. */
  clear(): void {
    this.changes?.noteAll();
  }
}
