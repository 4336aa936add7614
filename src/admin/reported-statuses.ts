import { Injectable } from '@nestjs/common';
import { groupBy } from '../common/index.js';
import { Brand } from '../platform/index.js';
import { type StatusJson, StatusView } from '../statuses/index.js';

/** A copy of a reported post. */
export interface StatusCopy {
  readonly id: string;
  /** As JSON. */
  readonly copy: object;
}

/** Hides the reporter's own state from the staff. */
const NO_MARKS = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false };
const NO_OWN_MARKS = { thread_muted: false, bookmark_folder: null, pinned_at: null };

/** Copies posts for reports, so that a deletion does not remove evidence. */
@Injectable()
export class ReportedStatuses {
  constructor(
    private readonly brand: Brand,
    private readonly view: StatusView,
  ) {}

  /** Copies the given posts that are by the author and visible to the reader of each. */
  async copies(ids: readonly string[], authorId: string, readerOf: (id: string) => string): Promise<StatusCopy[]> {
    const byReader = [...groupBy(ids, readerOf)];
    const seen = await Promise.all(byReader.map(([viewerId, read]) => this.view.objectsByIds(read, { viewerId })));
    return seen
      .flat()
      .filter(({ account }) => account.id === authorId)
      .map((status) => ({ id: status.id, copy: this.withoutMarks(status) }));
  }

  private withoutMarks(status: StatusJson): object {
    const key = this.brand.word;
    const own = (status as unknown as Readonly<Record<string, object>>)[key];
    return { ...status, ...NO_MARKS, [key]: { ...own, ...NO_OWN_MARKS } };
  }
}
