import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { FilterPlace, FilterResultJson } from './filter.shape.js';

/** The parts of a post that filters check. */
export interface FilteredStatus {
  readonly id: string;
  /** All text that readers see. */
  readonly text: string;
}

/** The result of a viewer's filters for a post. */
export interface FilterVerdict {
  readonly results: readonly FilterResultJson[];
  /** The places where the filters hide it. */
  readonly hiddenIn: ReadonlySet<FilterPlace>;
}

/** The verdict on a post that no filter matches. */
export const UNFILTERED: FilterVerdict = { results: [], hiddenIn: new Set() };

/** The filters of one viewer. */
export interface FilterSet {
  /** Unix time in milliseconds at which the first of them ends; Infinity if none does. */
  readonly endsAt: number;
  /** The places where some of them hide posts. */
  readonly hidingIn: ReadonlySet<FilterPlace>;
  judge(status: FilteredStatus): FilterVerdict;
}

/** Finds the filters of viewers by their versions. Leaves out deleted accounts. */
export interface FilterSets {
  of(versions: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, FilterSet>>;
}

/**
 * Provides the viewers' filters, since a rendered status lists the filters that match it. Timelines, which own the
 * filters, come after statuses in the module order, so they fill this port. It is called only for viewers with filters:
 * the statement for the viewer state tells which viewers have some.
 */
@Injectable()
export class ViewerFilters extends Port<FilterSets> implements FilterSets {
  /** Costs at most one statement for any number of viewers, and none for viewers with cached filters. */
  async of(versions: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, FilterSet>> {
    return versions.size === 0 ? new Map() : this.filler().of(versions);
  }
}
