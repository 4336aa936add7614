import { Inject, Injectable } from '@nestjs/common';
import { localDomains, searchedDomain } from '../../common/index.js';
import { type Collector, ENV, type Env, UnitOfWork } from '../../platform/index.js';
import { type VisibilityName, visibilityName } from '../model/visibility.js';
import { StatusTotalsRepository, type TotalChange } from './status-totals.repository.js';

/** Written after the counters of statuses, in the same order in all units of work. */
const ORDER = 300;

class PendingTotals implements Collector {
  readonly order = ORDER;
  readonly changes: TotalChange[] = [];

  constructor(private readonly write: (changes: readonly TotalChange[]) => Promise<void>) {}

  flush(): Promise<void> {
    return this.write(this.changes);
  }
}

/**
 * Counts the posts of each server by visibility, in the unit of work that creates or deletes them. Boosts do not count.
 */
@Injectable()
export class StatusTotals {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly repository: StatusTotalsRepository,
  ) {}

  /** Throws outside a unit of work. */
  add(authorId: string, visibility: number, delta: 1 | -1): void {
    const pending = this.uow.collector(this, () => new PendingTotals((changes) => this.repository.apply(changes)));
    pending.changes.push({ authorId, visibility, delta });
  }

  /** The number of posts by visibility: of one server, or of all. */
  async ofServer(server?: string): Promise<ReadonlyMap<VisibilityName, number>> {
    const domain = server === undefined ? undefined : searchedDomain(server);
    const isHere = domain !== undefined && localDomains(this.env).includes(domain);
    const rows = await this.repository.ofServer(isHere ? '' : (domain ?? null));
    return new Map(rows.map(({ visibility, count }) => [visibilityName(visibility), count]));
  }
}
