import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { FilterPlace, FilterResultJson } from './filter.shape.js';

/** What a filter looks at in a post. */
export interface FilteredPost {
  readonly id: string;
  /** Everything in it that people read. */
  readonly text: string;
}

/** What the filters of a viewer say about a post. */
export interface FilterVerdict {
  readonly results: readonly FilterResultJson[];
  /** Where the viewer does not want to meet it at all. */
  readonly hiddenIn: ReadonlySet<FilterPlace>;
}

/** The verdict on a post that no filter matches. */
export const UNFILTERED: FilterVerdict = { results: [], hiddenIn: new Set() };

/** The filters of one viewer. */
export interface FilterSet {
  judge(post: FilteredPost): FilterVerdict;
}

/** The filters of viewers whose versions are known; accounts that are gone are left out. */
export interface FilterSets {
  of(versions: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, FilterSet>>;
}

/**
 * The view of a status tells which of the viewer's filters match it. Filters are kept by the timelines, to the right of
 * statuses, hence this port. It is asked only about viewers who have filters: the statement that reads their marks says so.
 */
@Injectable()
export class ViewerFilters extends Port<FilterSets> implements FilterSets {
  /** At most one statement for any number of viewers, none for those whose filters are kept. */
  async of(versions: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, FilterSet>> {
    return versions.size === 0 ? new Map() : this.filler().of(versions);
  }
}
