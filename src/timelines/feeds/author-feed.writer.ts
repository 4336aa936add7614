import { Injectable } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

/** Adds a post to its author's feed in the transaction that creates it, so that the author sees it at once. */
@Injectable()
export class AuthorFeedWriter {
  constructor(private readonly feeds: FeedRepository) {}

  insert(authorId: string, statusId: string, reblogOfId: string | null): Promise<void> {
    return this.feeds.insertOwn(authorId, statusId, reblogOfId);
  }
}
