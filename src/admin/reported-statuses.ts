import { Inject, Injectable } from '@nestjs/common';
import { brandKey } from '../common/index.js';
import { ENV, type Env } from '../platform/index.js';
import { StatusView } from '../statuses/index.js';

/** A post as it was when somebody reported it. */
export interface StatusCopy {
  readonly id: string;
  /** As JSON. */
  readonly copy: object;
}

interface Rendered {
  readonly id: string;
  readonly account: { readonly id: string };
}

/** What the reporter did with a post is nobody else's business. */
const NO_MARKS = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false };
const NO_OWN_MARKS = { thread_muted: false, bookmark_folder: null, pinned_at: null };

/** Copies posts for reports, so that nobody gets rid of evidence by deleting it. */
@Injectable()
export class ReportedStatuses {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly view: StatusView,
  ) {}

  /** Copies of those of the posts that are by an account and that the reporter may see. */
  async copies(ids: readonly string[], authorId: string, reporterId: string): Promise<StatusCopy[]> {
    if (ids.length === 0) return [];
    const seen = await this.view.byIds(ids, { viewerId: reporterId });
    return seen
      .map((json) => json.parse() as Rendered)
      .filter(({ account }) => account.id === authorId)
      .map((status) => ({ id: status.id, copy: this.withoutMarks(status) }));
  }

  private withoutMarks(status: Rendered): object {
    const key = brandKey(this.env.brand, 'svc');
    const own = (status as unknown as Readonly<Record<string, object>>)[key];
    return { ...status, ...NO_MARKS, [key]: { ...own, ...NO_OWN_MARKS } };
  }
}
