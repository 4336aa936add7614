import { Injectable } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

/** Puts a post into its own author's feed within the posting transaction, so that it is there with the answer. */
@Injectable()
export class AuthorFeedWriter {
  constructor(private readonly feeds: FeedRepository) {}

  insert(authorId: string, statusId: string, reblogOfId: string | null): Promise<void> {
    return this.feeds.insertOwn(authorId, statusId, reblogOfId);
  }
}
