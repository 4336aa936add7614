import { Injectable } from '@nestjs/common';
import { groupBy, isPlainObject } from '../common/index.js';
import { StatusView } from '../statuses/index.js';

/** A copy of a reported post. */
export interface StatusCopy {
  readonly id: string;
  /** As JSON. */
  readonly copy: object;
}

/** Copies posts for reports, so that a deletion does not remove evidence. */
@Injectable()
export class ReportedStatuses {
  constructor(private readonly view: StatusView) {}

  /** Copies the given posts that are by the author and visible to the reader of each, whose own state stays private. */
  async copies(ids: readonly string[], authorId: string, readerOf: (id: string) => string): Promise<StatusCopy[]> {
    const byReader = [...groupBy(ids, readerOf)];
    const seen = await Promise.all(byReader.map(([viewerId, read]) => this.view.unmarkedByIds(read, { viewerId })));
    return seen
      .flat()
      .filter(({ account }) => account.id === authorId)
      .map((status) => ({ id: status.id, copy: status }));
  }
}

/** A stored copy under the present brand, at every level: it has that of its day. */
export function branded(copy: object, brand: string): object {
  const former = Object.entries(copy).find(([, part]) => isPlainObject(part) && 'pinned_at' in part)?.[0];
  return former === undefined || former === brand ? copy : (renamed(copy, former, brand) as object);
}

function renamed(value: unknown, former: string, brand: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, former, brand));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key === former ? brand : key, renamed(member, former, brand)] as const,
  );
  return Object.fromEntries<unknown>(members);
}
