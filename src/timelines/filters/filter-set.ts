import {
  type FilteredStatus,
  type FilterPlace,
  type FilterSet,
  type FilterVerdict,
  UNFILTERED,
} from '../../statuses/index.js';
import type { FilterRow } from './filter.repository.js';
import { filterSummary } from './filter.view.js';
import { KeywordSearch } from './keyword-search.js';

/** The memory use of a set besides its keywords, in search nodes. */
const OVERHEAD = 50;

interface Matcher {
  readonly filter: FilterRow;
  /** Unix time in milliseconds; from then on the filter is not applied. */
  readonly endsAt: number;
  readonly statusIds: ReadonlySet<string>;
  /** Range of its keywords in the search: from the first index up to, but not including, the second. */
  readonly keywords: readonly [number, number];
}

/** The compiled filters of one account: a single search finds the words of all of them. */
export class CompiledFilters implements FilterSet {
  readonly hidingIn: ReadonlySet<FilterPlace>;
  private readonly matchers: readonly Matcher[];
  private readonly keywords: readonly string[];
  private readonly search: KeywordSearch;

  constructor(filters: readonly FilterRow[]) {
    const all = filters.flatMap((filter) => filter.keywords);
    const hiding = filters.filter(({ action }) => action === 'hide');
    this.hidingIn = new Set(hiding.flatMap(({ contexts }) => contexts));
    let planted = 0;
    this.matchers = filters.map((filter) => ({
      filter,
      endsAt: filter.expiresAt === null ? Infinity : Date.parse(filter.expiresAt),
      statusIds: new Set(filter.statuses.map((entry) => entry.status_id)),
      keywords: [planted, (planted += filter.keywords.length)],
    }));
    this.keywords = all.map(({ keyword }) => keyword);
    this.search = new KeywordSearch(all.map(({ keyword, whole_word: wholeWord }) => ({ keyword, wholeWord })));
  }

  get endsAt(): number {
    const now = Date.now();
    return Math.min(...this.matchers.map(({ endsAt }) => endsAt).filter((endsAt) => endsAt > now));
  }

  /** The approximate memory use in search nodes. */
  get size(): number {
    return OVERHEAD + this.search.size + this.matchers.reduce((sum, { statusIds }) => sum + statusIds.size, 0);
  }

  judge({ id, text }: FilteredStatus): FilterVerdict {
    const now = Date.now();
    const found = [...this.search.find(text)].sort((a, b) => a - b);
    const results = this.matchers.flatMap(({ filter, endsAt, statusIds, keywords: [first, end] }) => {
      const words = found.filter((at) => at >= first && at < end).map((at) => this.keywords[at] ?? '');
      const isNamed = statusIds.has(id);
      if (endsAt <= now || (words.length === 0 && !isNamed)) return [];
      return { filter, words: words.length > 0 ? words : null, ids: isNamed ? [id] : null };
    });
    if (results.length === 0) return UNFILTERED;
    const hiding = results.filter(({ filter }) => filter.action === 'hide');
    return {
      results: results.map(({ filter, words, ids }) => ({
        filter: filterSummary(filter),
        keyword_matches: words,
        status_matches: ids,
      })),
      hiddenIn: new Set<FilterPlace>(hiding.flatMap(({ filter }) => filter.contexts)),
    };
  }
}
