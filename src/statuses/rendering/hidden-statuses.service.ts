import { Injectable } from '@nestjs/common';
import type { FilterPlace } from './filter.shape.js';
import { readableText } from './status-body.cache.js';
import { StatusPrefetch } from './status.prefetch.js';
import { StatusRenderer } from './status.render.js';
import { StatusViewRepository } from './status-view.repository.js';
import { ViewerFilters } from './viewer-filters.port.js';

/** Finds the readers whose filters hide a post, and the posts that those of a reader hide. */
@Injectable()
export class HiddenStatusesService {
  constructor(
    private readonly repository: StatusViewRepository,
    private readonly prefetch: StatusPrefetch,
    private readonly renderer: StatusRenderer,
    private readonly filters: ViewerFilters,
  ) {}

  /** Returns the readers whose filters hide a post in a place. An author's filters never hide the author's own post. */
  async from(readerIds: readonly string[], statusId: string, place: FilterPlace): Promise<ReadonlySet<string>> {
    const filtering = await this.repository.filtering(readerIds, statusId);
    if (filtering.length === 0) return new Set();
    const [sets, [row], polls] = await Promise.all([
      this.filters.of(new Map(filtering.map(({ accountId: id, version }) => [id, version]))),
      this.repository.bodies([statusId]),
      this.prefetch.polls([statusId], undefined),
    ]);
    if (!row) return new Set();
    const status = { id: statusId, text: readableText(this.renderer.body(row), polls.get(statusId)) };
    return new Set(
      [...sets].filter(([, set]) => set.judge(status).hiddenIn.has(place)).map(([accountId]) => accountId),
    );
  }

  /** Returns the posts among the ids that a reader's filters hide in a place; none of the reader's own. */
  async among(readerId: string, statusIds: readonly string[], place: FilterPlace): Promise<ReadonlySet<string>> {
    const found = await this.repository.filterable(readerId, statusIds);
    const sets = await this.filters.of(new Map(found.map(({ version }) => [readerId, version])));
    const filters = sets.get(readerId);
    if (!filters?.hidingIn.has(place)) return new Set();
    const ids = found.map(({ id }) => id);
    const [rows, polls] = await Promise.all([this.repository.bodies(ids), this.prefetch.polls(ids, undefined)]);
    const posts = rows.map((row) => ({ id: row.id, text: readableText(this.renderer.body(row), polls.get(row.id)) }));
    return new Set(posts.filter((post) => filters.judge(post).hiddenIn.has(place)).map(({ id }) => id));
  }
}
