import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Writes a row of the author's own home feed. */
export interface AuthorFeedRows {
  insert(authorId: string, statusId: string, reblogOfId: string | null): Promise<void>;
}

/**
 * Writes the author's own feed row together with the post, so that the author sees the post at once. Timelines come
 * after statuses in the module order, so they fill this port when they start.
 */
@Injectable()
export class AuthorFeed extends Port<AuthorFeedRows> implements AuthorFeedRows {
  /** Runs in the open unit of work, independently of its other statements. */
  insert(authorId: string, statusId: string, reblogOfId: string | null): Promise<void> {
    return this.filler().insert(authorId, statusId, reblogOfId);
  }
}
