import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Writes a row of the author's own home feed. */
export interface AuthorFeedRows {
  insert(authorId: string, statusId: string, reblogOfId: string | null): Promise<void>;
}

/**
 * The author's own feed row is written with the post, so that it is there with the answer. Feeds stand to the right of
 * statuses, hence this port: the owner of the feeds fills it when its module starts.
 */
@Injectable()
export class AuthorFeed extends Port<AuthorFeedRows> implements AuthorFeedRows {
  /** Runs in the open unit of work, without waiting for others in it. */
  insert(authorId: string, statusId: string, reblogOfId: string | null): Promise<void> {
    return this.filler().insert(authorId, statusId, reblogOfId);
  }
}
