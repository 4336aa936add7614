import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Metrics } from '../../platform/index.js';
import { type FilterSet, type FilterSets, ViewerFilters } from '../../statuses/index.js';
import { FilterRepository } from './filter.repository.js';
import { CompiledFilters } from './filter-set.js';

/** Maximum size in nodes of keyword searches: about 30 MB. A hundred words take about a thousand nodes. */
const MAX_NODES = 300_000;

interface CachedFilters {
  readonly version: number;
  readonly set: CompiledFilters;
}

/**
 * Caches the compiled filters of readers by account and version, so that changed filters are never used again. Units of
 * work that write filters do not read them here, so the cache only holds committed filters.
 */
@Injectable()
export class FilterCache implements FilterSets, OnModuleInit {
  private readonly cached = new LRUCache<string, CachedFilters>({
    maxSize: MAX_NODES,
    sizeCalculation: ({ set }) => set.size,
  });

  constructor(
    private readonly port: ViewerFilters,
    private readonly repository: FilterRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.port.use(this);
    this.metrics.watchCache('filters', this);
  }

  /** Number of accounts with cached filters. */
  get entries(): number {
    return this.cached.size;
  }

  async of(versions: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, FilterSet>> {
    const found = new Map<string, FilterSet>();
    const missing: string[] = [];
    for (const [accountId, version] of versions) {
      const entry = this.cached.get(accountId);
      if (entry && entry.version >= version) found.set(accountId, entry.set);
      else missing.push(accountId);
    }
    if (missing.length === 0) return found;
    for (const { accountId, version, filters } of await this.repository.books(missing)) {
      const set = new CompiledFilters(filters);
      this.cached.set(accountId, { version, set });
      found.set(accountId, set);
    }
    return found;
  }
}
